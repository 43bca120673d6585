//! Why a sync ends before its end.

use stoa_runs::Outcome;
use stoa_store::StoreError;

use crate::connector::ConnectorError;

/// Why a sync ends before its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Ended {
    /// It was told to.
    #[error("told to stop")]
    Stopped(Outcome),
    /// The place can't be listed.
    #[error(transparent)]
    Place(#[from] ConnectorError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
