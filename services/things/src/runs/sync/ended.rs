//! Why a sync ends before its end.

use futures::future::BoxFuture;
use stoa_runs::Outcome;
use stoa_store::StoreError;

use crate::connector::ConnectorError;

/// How often a transaction is tried that another gets into the way of.
const ATTEMPTS: u32 = 3;

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

impl Ended {
    /// Whether another transaction was in the way (PostgreSQL's `deadlock_detected`): what forgets things that
    /// are long gone takes no turns with syncs.
    fn is_collision(&self) -> bool {
        matches!(self, Self::Store(StoreError::Database(sqlx::Error::Database(error)))
            if error.code().is_some_and(|code| code == "40P01"))
    }
}

/// Does a whole transaction, again where another was in its way.
pub(super) async fn retried<'a, T>(
    mut transaction: impl FnMut() -> BoxFuture<'a, Result<T, Ended>>,
) -> Result<T, Ended> {
    let mut attempt = 1;
    loop {
        match transaction().await {
            Err(ended) if attempt < ATTEMPTS && ended.is_collision() => attempt += 1,
            ended => return ended,
        }
    }
}
