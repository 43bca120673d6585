//! `sync_resource`: pull a resource's contents in as references.

use serde::Deserialize;
use stoa_mcp::{Answer, Argument, Call, Effect, ToolError, ToolSpec};
use stoa_store::audit::Mark;

use super::run_task::started;
use super::{id, resource};
use crate::operations::sync_resource::sync_resource;
use crate::operations::{Things, ThingsError};

#[derive(Deserialize)]
struct Arguments {
    resource_id: String,
    full: Option<bool>,
}

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "sync_resource",
        title: "Sync a resource",
        description: "List a resource and catalog what is new or changed; what vanished loses its reference. \
            Folders are watched and synced by themselves, so this is for when you can't wait. Starts a run, \
            debited to your run budget; follow it with list_runs until its status is done. While the resource \
            has a live sync, that one's run_id is the answer and nothing is debited.",
        scope: "resources:command",
        effect: Effect::Writes { destructive: false, idempotent: true },
        arguments: vec![
            resource::argument(),
            Argument::boolean("full", "Read every file again, also those that look unchanged.")
                .mark(Mark::Keep),
        ],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: Arguments = call.parse()?;
    let resource = id(&arguments.resource_id, ThingsError::NO_RESOURCE)?;
    let full = arguments.full.unwrap_or(false);
    let run = sync_resource(&things, &call.caller, &call.act, resource, full).await?;
    started(&things, &call, run).await
}
