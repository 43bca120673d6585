//! `stoa version`.

use std::fmt;

use serde::Serialize;

use crate::commands::Context;
use crate::failure::Failure;

#[derive(Debug, Serialize)]
struct Version {
    version: &'static str,
}

/// Prints the version.
///
/// # Errors
/// [`Failure::Output`] when standard output can't be written to.
pub fn run(context: &Context) -> Result<(), Failure> {
    context.output.print(&Version { version: env!("CARGO_PKG_VERSION") })
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stoa {}", self.version)
    }
}
