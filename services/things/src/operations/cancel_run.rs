//! Stopping a run that is still going.

use std::sync::Arc;

use serde::Serialize;
use stoa_identity::Caller;
use stoa_runs::{RunId, RunStatus, request_cancel};
use stoa_store::audit::Act;

use super::rights::CancelRun;
use super::targets::OwnRun;
use super::{Things, ThingsError, may};

/// Where the run stands after it was asked to stop.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CancelledRun {
    /// The run.
    pub run_id: RunId,
    /// Where it stands: still running for a moment, if a worker had begun it.
    pub status: RunStatus,
    /// Whether it was asked to stop; false where it had ended by itself.
    pub cancel_requested: bool,
}

/// Asks a run to stop. It does within 24 objects; what was done stays done.
///
/// # Errors
/// [`ThingsError::NotFound`] for a run that the caller's installation did not start.
pub async fn cancel_run(
    things: &Things,
    caller: &Arc<Caller>,
    act: &Act,
    id: RunId,
) -> Result<CancelledRun, ThingsError> {
    let may = may::on::<OwnRun, CancelRun>(things, caller, id, ThingsError::NO_RUN).await?;
    let run = &may.target().0;
    let mut tx = things.db().begin().await?;
    let state = request_cancel(&mut tx, things.ambient(), run.workspace, run.id).await?;
    let state = state.ok_or(ThingsError::NO_RUN)?;
    act.commit(tx).await?;
    Ok(CancelledRun { run_id: run.id, status: state.status, cancel_requested: state.cancel_requested })
}
