//! Logs: to standard error, so that what a command prints stays clean.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};
use crate::failure::Failure;

/// What a server logs: its own doings, and of what it is built from only warnings. `stoa` is also the
/// beginning of the kernel's crates.
const SERVER: &str = "warn,stoa=info,things=info";
/// What a command logs: its answer is on standard output, or its failure on standard error. That it waits its
/// turn to write is no news.
const COMMAND: &str = "warn,sqlx::pool=error";

/// Starts logging as configured.
///
/// # Errors
/// [`Failure::LogLevel`] when the configured filter can't be read.
pub fn start(log: &Log, serves: bool) -> Result<(), Failure> {
    let default = if serves { SERVER } else { COMMAND };
    let filter = log.level.as_deref().unwrap_or(default);
    let filter = EnvFilter::try_new(filter).map_err(|_| Failure::LogLevel(filter.to_owned()))?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match log.format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(())
}
