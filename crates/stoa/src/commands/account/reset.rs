//! `stoa account reset`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_base::Timestamp;
use stoa_identity::{Email, resets};

use super::find;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa account reset`.
#[derive(Debug, Args)]
pub struct Reset {
    /// The address that names the account
    email: Email,
    /// Remove the second factor, too, for who has lost it
    #[arg(long)]
    second_factor: bool,
}

/// What is printed: without `--json` the link alone.
#[derive(Debug, Serialize)]
struct Link {
    email: Email,
    url: String,
    expires_at: Timestamp,
}

impl Reset {
    /// Makes the link.
    ///
    /// # Errors
    /// [`Failure::UnknownAccount`], [`Failure::DisabledAccount`], or the database's failure.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let account = find(house, &self.email).await?;
        let arguments = json!({ "email": self.email, "second_factor": self.second_factor });
        let act = house.act(house.default, "account reset", arguments);
        let reset = if self.second_factor { resets::Reset::Everything } else { resets::Reset::Password };
        let made = resets::issue(&house.db, &house.ambient, &act, &account.email, reset).await;
        let made = made.map_err(Failure::from);
        let link = made.and_then(|link| link.ok_or_else(|| Failure::DisabledAccount(account.email.clone())));
        let link = end(&act, link).await?;
        context.output.print(&Link {
            url: house.config.page("reset", &link.secret),
            email: account.email,
            expires_at: link.expires_at,
        })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}
