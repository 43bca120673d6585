//! `list_resources`: the places where things live, and how their syncs stand.

use serde::Serialize;
use stoa_mcp::{Answer, Call, Effect, ToolError, ToolSpec};

use crate::operations::Things;
use crate::operations::list_resources::{ListedResource, list_resources};

#[derive(Serialize)]
struct Resources {
    resources: Vec<ListedResource>,
}

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "list_resources",
        title: "List resources",
        description: "The places your files are in, each with its connector and how its syncs stand: when the \
            last one ended, what it counted, what was wrong.",
        scope: "resources:read",
        effect: Effect::ReadOnly,
        arguments: Vec::new(),
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    Answer::json(&Resources { resources: list_resources(&things, &call.caller).await? })
}
