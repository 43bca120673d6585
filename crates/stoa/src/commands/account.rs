//! `stoa account`: the people.

mod add;
mod disable;
mod enable;
mod reset;

use clap::Subcommand;
use stoa_identity::{Account as Person, Email, accounts};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;

/// `stoa account …`
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Add a person; the first one owns the workspace default
    Add(add::Add),
    /// Print a link, good once and for an hour, that gives a person a new way to sign in
    Reset(reset::Reset),
    /// Disable a person: their sessions, agents and tokens end at once, everywhere
    Disable(disable::Disable),
    /// Let a disabled person sign in again
    Enable(enable::Enable),
}

impl Account {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        match self {
            Self::Add(add) => add.run(context, house).await,
            Self::Reset(reset) => reset.run(context, house).await,
            Self::Disable(disable) => disable.run(context, house).await,
            Self::Enable(enable) => enable.run(context, house).await,
        }
    }
}

/// The person with this address.
async fn find(house: &House, email: &Email) -> Result<Person, Failure> {
    accounts::by_email(&house.db, email).await?.ok_or_else(|| Failure::UnknownAccount(email.clone()))
}
