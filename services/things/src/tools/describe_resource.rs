//! `describe_resource`: one resource's capabilities and command vocabulary.

use stoa_mcp::{Answer, Call, Effect, ToolError, ToolSpec};

use super::resource::OneResource;
use super::{id, resource};
use crate::operations::describe_resource::describe_resource;
use crate::operations::{Things, ThingsError};

pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        name: "describe_resource",
        title: "Describe a resource",
        description: "What one resource can do: the capabilities of its connector, and the commands it knows with \
            a JSON Schema for the arguments of each. Folders know no command yet.",
        scope: "resources:read",
        effect: Effect::ReadOnly,
        arguments: vec![resource::argument()],
    }
}

pub(super) async fn answer(things: Things, call: Call) -> Result<Answer, ToolError> {
    let arguments: OneResource = call.parse()?;
    let resource = id(&arguments.resource_id, ThingsError::NO_RESOURCE)?;
    Answer::json(&describe_resource(&things, &call.caller, resource).await?)
}
