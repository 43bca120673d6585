//! `stoa account enable`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::{Email, accounts};

use super::find;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa account enable`.
#[derive(Debug, Args)]
pub struct Enable {
    /// The address that names the account
    email: Email,
}

#[derive(Debug, Serialize)]
struct Enabled {
    email: Email,
    /// Whether it was disabled until now.
    enabled: bool,
}

impl Enable {
    /// Enables the person.
    ///
    /// # Errors
    /// [`Failure::UnknownAccount`], or the database's failure.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let account = find(house, &self.email).await?;
        let act = house.act(house.default, "account enable", json!({ "email": self.email }));
        let enabled = end(&act, accounts::enable(&house.db, &act, account.id).await).await?;
        context.output.print(&Enabled { email: account.email, enabled })
    }
}

impl fmt::Display for Enabled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.enabled { "enabled" } else { "was not disabled:" };
        write!(f, "{how} {}", self.email)
    }
}
