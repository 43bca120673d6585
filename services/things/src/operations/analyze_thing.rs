//! Having one thing analyzed again: queues a run.

use std::sync::Arc;

use serde_json::json;
use stoa_identity::Caller;
use stoa_runs::{NewRun, RunId};
use stoa_store::audit::Act;

use super::rights::Analyze;
use super::sync_resource::enqueue;
use super::{Things, ThingsError, may};
use crate::model::ThingId;
use crate::store::thing::ThingRow;

/// Queues the analysis of a thing; with `force` also of steps that went well before. Where one is live
/// already, that run is the answer and nothing is debited.
///
/// # Errors
/// [`ThingsError::NotFound`] for an id that is unknown, another tenant's or out of reach;
/// [`ThingsError::Argument`] for a thing that is gone; [`ThingsError::OverBudget`] where the installation
/// started too many runs this hour.
pub async fn analyze_thing(
    things: &Things,
    caller: &Arc<Caller>,
    act: &Act,
    id: ThingId,
    force: bool,
) -> Result<RunId, ThingsError> {
    let may = may::on::<ThingRow, Analyze>(things, caller, id, ThingsError::NO_THING).await?;
    let thing = may.target();
    if thing.gone_at.is_some() {
        let gone = "id: this thing is gone from every resource, so there is nothing to analyze";
        return Err(ThingsError::Argument(gone.to_owned()));
    }
    let run = NewRun {
        workspace: thing.workspace,
        service: crate::NAME,
        kind: "analyze",
        target: Some(thing.id.uuid()),
        live_key: Some(format!("things/analyze/{}", thing.id)),
        payload: json!({ "thing_id": thing.id, "force": force }),
        starter: Some(may.caller().installation),
        account: Some(may.caller().account),
    };
    enqueue(things, caller, act, &run).await
}
