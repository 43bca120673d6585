//! `list_runs`: what the work you started is doing.

use serde::Deserialize;
use stoa_mcp::{Answer, Argument, Call, Effect, ToolError, ToolSpec};
use stoa_runs::RunStatus;
use stoa_store::audit::Mark;

use crate::operations::Things;
use crate::operations::list_runs::{ListRuns, list_runs};

/// Runs on a page, where the call says nothing.
const LIMIT: u32 = 50;
/// The kinds of runs.
const KINDS: &[&str] = &["sync", "export", "analyze"];
/// How a run may stand.
const STATUSES: &[&str] = &["queued", "running", "done", "failed", "cancelled"];

#[derive(Deserialize)]
struct Arguments {
    kind: Option<String>,
    status: Option<RunStatus>,
    limit: Option<u32>,
    cursor: Option<String>,
}

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "list_runs",
        title: "List runs",
        description: "What the work you started is doing, newest first: status, progress, rate, time left, and \
            why it failed; and how much of this hour's run budget is used. Call it again after a few seconds \
            to follow a run.",
        scope: "resources:read",
        effect: Effect::ReadOnly,
        arguments: vec![
            Argument::choice("kind", "Only this kind.", KINDS).mark(Mark::Keep),
            Argument::choice("status", "Only those that stand so.", STATUSES).mark(Mark::Keep),
            Argument::integer("limit", "How many runs at most; 50 if left out.", 1, 200).mark(Mark::Keep),
            Argument::text("cursor", "next_cursor of the page before; other arguments unchanged.")
                .mark(Mark::Length),
        ],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: Arguments = call.parse()?;
    let asked = ListRuns {
        kind: arguments.kind,
        status: arguments.status,
        limit: arguments.limit.unwrap_or(LIMIT),
        cursor: arguments.cursor,
    };
    Answer::json(&list_runs(&things, &call.caller, &asked).await?)
}
