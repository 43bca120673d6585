//! `check_resource`: does a resource still answer, and are its credentials accepted.

use stoa_mcp::{Answer, Call, Effect, ToolError, ToolSpec};

use super::resource::OneResource;
use super::{id, resource};
use crate::operations::check_resource::check_resource;
use crate::operations::{Things, ThingsError};

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "check_resource",
        title: "Check a resource",
        description: "Does a resource still answer, and are its credentials accepted? Answers latency and what is \
            wrong. An unreachable resource is an answer, not an error.",
        scope: "resources:read",
        effect: Effect::ReadOnly,
        arguments: vec![resource::argument()],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: OneResource = call.parse()?;
    let resource = id(&arguments.resource_id, ThingsError::NO_RESOURCE)?;
    Answer::json(&check_resource(&things, &call.caller, resource).await?)
}
