//! `analyze_thing`: queue one thing for analysis.

use serde::Deserialize;
use stoa_mcp::{Answer, Argument, Call, Effect, ToolError, ToolSpec};
use stoa_store::audit::Mark;

use super::id;
use super::run_task::started;
use crate::operations::analyze_thing::analyze_thing;
use crate::operations::{Things, ThingsError};

#[derive(Deserialize)]
struct Arguments {
    id: String,
    force: Option<bool>,
}

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "analyze_thing",
        title: "Analyze a thing",
        description: "Queue one thing for analysis: its bytes are read again and its text extracted anew. Only \
            needed where a step failed; everything a sync finds is analyzed by the sync itself. Starts a run, \
            debited to your run budget; follow it with list_runs.",
        scope: "things:write",
        effect: Effect::Writes { destructive: false, idempotent: true },
        arguments: vec![
            Argument::text("id", "The thing's id, from search_things.")
                .max_chars(64)
                .required()
                .mark(Mark::Keep),
            Argument::boolean("force", "Take steps again that went well before.").mark(Mark::Keep),
        ],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: Arguments = call.parse()?;
    let thing = id(&arguments.id, ThingsError::NO_THING)?;
    let force = arguments.force.unwrap_or(false);
    let run = analyze_thing(&things, &call.caller, &call.act, thing, force).await?;
    started(&things, &call, run).await
}
