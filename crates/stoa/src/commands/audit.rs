//! `stoa audit`: looking at the audit from outside.

mod export;
mod verify;

use clap::Subcommand;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;

/// `stoa audit …`
#[derive(Debug, Subcommand)]
pub enum Audit {
    /// Look for entries that were changed or dropped
    Verify(verify::Verify),
    /// Write the entries of a workspace as JSON lines
    Export(export::Export),
}

impl Audit {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        match self {
            Self::Verify(verify) => verify.run(context, house).await,
            Self::Export(export) => export.run(house).await,
        }
    }
}
