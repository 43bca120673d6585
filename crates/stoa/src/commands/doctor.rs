//! `stoa doctor`: every outside part, found or not, and what it is for.

use std::fmt;

use clap::Args;
use serde::Serialize;

use crate::commands::Context;
use crate::doctor::{self, Finding, State};
use crate::failure::Failure;
use crate::output::columns;

/// Arguments of `stoa doctor`.
#[derive(Debug, Args)]
pub struct Doctor {}

/// What was found.
#[derive(Debug, Serialize)]
struct Report {
    parts: Vec<Finding>,
}

impl Doctor {
    /// Looks at every part and prints what it found. Changes nothing.
    ///
    /// # Errors
    /// [`Failure::Unwell`] when a part is broken that Stoa can't do without.
    pub async fn run(&self, context: &Context) -> Result<(), Failure> {
        let report = Report { parts: doctor::examine(context).await };
        context.output.print(&report)?;
        let broken = report.parts.iter().filter(|part| part.state == State::Broken);
        match broken.map(|part| part.part).collect::<Vec<_>>() {
            broken if broken.is_empty() => Ok(()),
            broken => Err(Failure::Unwell(broken.join(", "))),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.parts.iter().map(|part| {
            [part.state.to_string(), part.part.to_owned(), part.found.clone(), part.purpose.to_owned()]
        });
        columns(f, ["STATE", "PART", "FOUND", "FOR"], &rows.collect::<Vec<_>>())
    }
}
