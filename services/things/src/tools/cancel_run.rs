//! `cancel_run`: stop a run that is still going.

use serde::Deserialize;
use stoa_mcp::{Answer, Argument, Call, Effect, ToolError, ToolSpec};
use stoa_store::audit::Mark;

use super::id;
use crate::operations::cancel_run::cancel_run;
use crate::operations::{Things, ThingsError};

#[derive(Deserialize)]
struct Arguments {
    run_id: String,
}

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "cancel_run",
        title: "Cancel a run",
        description: "Ask a run you started to stop. It stops within a few dozen objects; whatever it had done \
            stays done. A run that had ended already stays as it is.",
        scope: "resources:command",
        effect: Effect::Writes { destructive: false, idempotent: true },
        arguments: vec![
            Argument::text("run_id", "The run's id, from list_runs.")
                .max_chars(64)
                .required()
                .mark(Mark::Keep),
        ],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: Arguments = call.parse()?;
    let run = id(&arguments.run_id, ThingsError::NO_RUN)?;
    Answer::json(&cancel_run(&things, &call.caller, &call.act, run).await?)
}
