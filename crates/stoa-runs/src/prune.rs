//! When rows of this crate die.

use std::time::Duration;

use sqlx::query;
use stoa_base::{Ambient, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};

use crate::budget::WINDOW;

/// How long a run is shown after it ended.
const KEEP_RUNS: Duration = Duration::from_hours(30 * 24);

queries! {
    /// Runs that ended long ago.
    ENDED = "DELETE FROM run WHERE status IN ('done', 'failed', 'cancelled') AND finished_at < $1";
    /// Budget windows that are over.
    WINDOWS = "DELETE FROM run_budget WHERE window_start < $1";
}

/// What was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// Runs.
    pub runs: u64,
    /// Budget windows.
    pub windows: u64,
}

/// Deletes runs that ended more than 30 days ago, and budget windows that are over. One window more than
/// the present one is kept, for a node whose clock is a little behind.
///
/// # Errors
/// [`StoreError::Database`] when the database refused.
pub async fn prune(db: &Database, ambient: &Ambient) -> Result<Pruned, StoreError> {
    let now = ambient.now();
    let mut tx = db.begin().await?;
    let runs = delete_before(&mut tx, ENDED, now.minus(KEEP_RUNS)).await?;
    let windows = delete_before(&mut tx, WINDOWS, now.floor(WINDOW).minus(WINDOW)).await?;
    tx.commit().await?;
    Ok(Pruned { runs, windows })
}

async fn delete_before(tx: &mut Tx, delete: &'static str, instant: Timestamp) -> Result<u64, StoreError> {
    Ok(on!(tx tx, c => query(delete)
        .bind(instant.as_micros())
        .execute(c)
        .await
        .map(|deleted| deleted.rows_affected()))?)
}
