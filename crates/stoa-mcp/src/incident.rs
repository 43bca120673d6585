//! Faults of ours. The client gets an id, the log gets the cause under it.

use std::error::Error;
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use stoa_base::Ambient;
use stoa_base::incident::{IncidentId, panic_message};

/// Logs the error, and gives the id under which it is found.
pub(crate) fn noted(ambient: &Ambient, error: &(dyn Error + 'static)) -> String {
    let incident = IncidentId::new(ambient).to_string();
    tracing::error!(incident, error, "internal error");
    incident
}

/// What the client is told of it.
pub(crate) fn sentence(incident: &str) -> String {
    format!("Internal error; the server's log has it as incident {incident}.")
}

/// The future's outcome, or the words of its panic.
pub(crate) async fn caught<F: Future>(future: F) -> Result<F::Output, Panicked> {
    AssertUnwindSafe(future)
        .catch_unwind()
        .await
        .map_err(|payload| Panicked(panic_message(&*payload).to_owned()))
}

/// The work panicked.
#[derive(Debug, thiserror::Error)]
#[error("panic: {0}")]
pub(crate) struct Panicked(String);
