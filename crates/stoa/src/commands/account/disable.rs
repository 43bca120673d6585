//! `stoa account disable`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::{Email, accounts};

use super::find;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa account disable`.
#[derive(Debug, Args)]
pub struct Disable {
    /// The address that names the account
    email: Email,
}

#[derive(Debug, Serialize)]
struct Disabled {
    email: Email,
    /// Whether it was enabled until now.
    disabled: bool,
}

impl Disable {
    /// Disables the person.
    ///
    /// # Errors
    /// [`Failure::UnknownAccount`], or the database's failure.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let account = find(house, &self.email).await?;
        let act = house.act(house.default, "account disable", json!({ "email": self.email }));
        let disabled =
            end(&act, accounts::disable(&house.db, &house.ambient, &act, account.id).await).await?;
        context.output.print(&Disabled { email: account.email, disabled })
    }
}

impl fmt::Display for Disabled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.disabled { "disabled" } else { "was disabled before:" };
        write!(f, "{how} {}", self.email)
    }
}
