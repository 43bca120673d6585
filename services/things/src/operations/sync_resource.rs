//! Pulling the contents of a resource in as references: queues a run.

use std::sync::Arc;

use serde_json::json;
use stoa_identity::Caller;
use stoa_runs::{Enqueued, NewRun, RunId};
use stoa_store::audit::Act;

use super::rights::Sync;
use super::{Things, ThingsError, may};
use crate::model::ResourceId;
use crate::store::resource::ResourceRow;

/// Queues a sync. Where the resource has a live one already, that run is the answer and nothing is debited.
///
/// # Errors
/// [`ThingsError::NotFound`] for an id that is unknown, another tenant's or out of reach;
/// [`ThingsError::OverBudget`] where the installation started too many runs this hour.
pub async fn sync_resource(
    things: &Things,
    caller: &Arc<Caller>,
    act: &Act,
    id: ResourceId,
    full: bool,
) -> Result<RunId, ThingsError> {
    let may = may::on::<ResourceRow, Sync>(things, caller, id, ThingsError::NO_RESOURCE).await?;
    let run = NewRun {
        starter: Some(may.caller().installation),
        account: Some(may.caller().account),
        ..new_sync(may.target(), full)
    };
    enqueue(things, caller, act, &run).await
}

/// The run that syncs this resource; one at a time is live.
#[must_use]
pub fn new_sync(resource: &ResourceRow, full: bool) -> NewRun<'static> {
    NewRun {
        workspace: resource.workspace,
        service: crate::NAME,
        kind: "sync",
        target: Some(resource.id.uuid()),
        live_key: Some(format!("things/sync/{}", resource.id)),
        payload: json!({ "resource_id": resource.id, "full": full }),
        starter: None,
        account: None,
    }
}

/// Queues a run and writes the act's entry with it, in one transaction; a refusal by the budget leaves no
/// trace of the run.
pub(super) async fn enqueue(
    things: &Things,
    caller: &Caller,
    act: &Act,
    run: &NewRun<'_>,
) -> Result<RunId, ThingsError> {
    let budget = caller.run_budget.unwrap_or(things.settings().run_budget);
    let mut tx = things.db().begin().await?;
    let queued: Enqueued = stoa_runs::enqueue(&mut tx, things.ambient(), run, Some(budget)).await?;
    act.commit(tx).await?;
    Ok(queued.id())
}
