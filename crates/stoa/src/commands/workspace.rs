//! `stoa workspace`: the tenants.

mod add;
mod delete;
mod export;

use clap::Subcommand;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;

/// `stoa workspace …`
#[derive(Debug, Subcommand)]
pub enum Workspace {
    /// Add a workspace
    Add(add::Add),
    /// Delete a workspace with all that it has
    Delete(delete::Delete),
    /// Write all that a workspace has into a file, without secrets
    Export(export::Export),
}

impl Workspace {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        match self {
            Self::Add(command) => command.run(context, house).await,
            Self::Delete(command) => command.run(context, house).await,
            Self::Export(command) => command.run(context, house).await,
        }
    }
}
