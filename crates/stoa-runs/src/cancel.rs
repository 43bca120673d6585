//! Asking a run to stop.

use sqlx::query_as;
use stoa_base::{Ambient, WorkspaceId};
use stoa_store::{StoreError, Tx, on, queries};

use crate::list::status;
use crate::{RUNS, RunId, RunStatus};

queries! {
    /// A queued run ends at once; a running one is told by its flag.
    CANCEL = "UPDATE run SET cancel_requested = TRUE,
            finished_at = CASE status WHEN 'queued' THEN $3 ELSE finished_at END,
            status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END
        WHERE workspace_id = $1 AND id = $2 AND status IN ('queued', 'running')
        RETURNING status, cancel_requested";
    /// What became of a run that had ended already.
    STATE = "SELECT status, cancel_requested FROM run WHERE workspace_id = $1 AND id = $2";
}

/// Where a run stands after somebody asked it to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelState {
    /// Where it stands: still running for a moment, if a worker had begun it.
    pub status: RunStatus,
    /// Whether it was asked to stop. False for a run that had ended by itself.
    pub cancel_requested: bool,
}

/// Asks a run of the workspace to stop. A queued run is cancelled at once; a running one stops within a few
/// objects, and what it did stays done; one that has ended stays as it is. `None`: there is no such run.
///
/// # Errors
/// [`StoreError::Database`] when the database refused.
pub async fn request_cancel(
    tx: &mut Tx,
    ambient: &Ambient,
    workspace: WorkspaceId,
    run: RunId,
) -> Result<Option<CancelState>, StoreError> {
    let live: Option<(String, bool)> = on!(tx tx, c => query_as(CANCEL)
        .bind(workspace.uuid())
        .bind(run.uuid())
        .bind(ambient.now().as_micros())
        .fetch_optional(c)
        .await)?;
    if live.is_some() {
        tx.wake(RUNS);
        return live.map(state).transpose();
    }
    let over: Option<(String, bool)> = on!(tx tx, c => query_as(STATE)
        .bind(workspace.uuid())
        .bind(run.uuid())
        .fetch_optional(c)
        .await)?;
    over.map(state).transpose()
}

fn state((word, cancel_requested): (String, bool)) -> Result<CancelState, StoreError> {
    Ok(CancelState { status: status(&word)?, cancel_requested })
}
