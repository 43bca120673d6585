//! `stoa token`: what agents show to be let in.

mod add;
mod list;
mod revoke;

use clap::Subcommand;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;

/// `stoa token …`
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make a personal token for one agent and print it, alone
    Add(add::Add),
    /// List the tokens of a workspace
    List(list::List),
    /// Revoke a token: it is refused from the next request on
    Revoke(revoke::Revoke),
}

impl Token {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        match self {
            Self::Add(add) => add.run(context, house).await,
            Self::List(list) => list.run(context, house).await,
            Self::Revoke(revoke) => revoke.run(context, house).await,
        }
    }
}
