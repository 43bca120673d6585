//! What a service hands over to be done by workers.

use std::error::Error;

use futures::future::BoxFuture;
use stoa_store::StoreError;

use crate::Running;

/// One kind of work of one service.
pub trait Work: Send + Sync {
    /// The service: `things`.
    fn service(&self) -> &'static str;

    /// The kind: `sync`.
    fn kind(&self) -> &'static str;

    /// Does the run, from its checkpoint if it has one, until it is done or
    /// [`Running::should_stop`] says otherwise.
    fn perform<'a>(&'a self, run: &'a Running) -> BoxFuture<'a, Result<Outcome, WorkError>>;
}

/// How a work ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is done.
    Done,
    /// Somebody asked the run to stop. What was done stays done.
    Cancelled,
    /// This node stops or has lost the run; it goes on elsewhere, from its checkpoint.
    HandedBack,
}

/// The work can't be done.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// For this reason, in words for the people who see the run.
    #[error("{0}")]
    Failed(String),
    /// For a reason that only the log tells; people see an incident id.
    #[error(transparent)]
    Internal(Box<dyn Error + Send + Sync>),
}

impl From<StoreError> for WorkError {
    fn from(error: StoreError) -> Self {
        Self::Internal(Box::new(error))
    }
}
