//! The MCP face: one file a tool. Each says what it takes, and hands what it was given to an operation.

mod analyze_thing;
mod cancel_run;
mod check_resource;
mod describe_resource;
pub mod error;
mod get_thing;
mod instructions;
mod list_resources;
mod list_runs;
mod resource;
mod run_task;
mod search_things;
mod selector;
mod sync_resource;
mod thing_resource;

use std::str::FromStr;
use std::sync::Arc;

use futures::future::BoxFuture;
use stoa_mcp::{
    Answer, BadArgument, Call, CallLimit, Courtesy, Exposure, Policy, ResultStyle, ScopeInfo, Service, Tool,
    ToolError, ToolSpec,
};

use crate::operations::{Things, ThingsError};

/// The scope for whatever is read of things.
const READ_THINGS: ScopeInfo =
    ScopeInfo { name: "things:read", description: "Search your files and read their text", preticked: true };

/// The scopes of this service, as people are asked for them.
pub const SCOPES: &[ScopeInfo] = &[
    READ_THINGS,
    ScopeInfo { name: "things:write", description: "Have single files analyzed again", preticked: true },
    ScopeInfo {
        name: "resources:read",
        description: "See the places your files are in, whether they answer, and what is being done",
        preticked: true,
    },
    ScopeInfo {
        name: "resources:command",
        description: "Have places synced, and stop what is being done",
        preticked: false,
    },
];

/// The service, for the endpoint. `calls_per_minute` is `things.mcp_limit`.
#[must_use]
pub fn service(things: &Things, calls_per_minute: u32) -> Service {
    Service {
        name: crate::NAME,
        server_name: crate::SERVER_NAME,
        title: crate::TITLE,
        scopes: SCOPES,
        policy: Policy {
            exposure: Exposure::Granted,
            bad_argument: BadArgument::ArgumentError,
            result: ResultStyle::JsonText,
            limit: CallLimit::PerMinute(calls_per_minute),
            courtesy: Courtesy::Refused,
        },
        tools: tools(things),
        objects: &[],
        prompts: vec![],
        resources: Some(Arc::new(thing_resource::ThingResources::new(things))),
        tasks: Some(Arc::new(run_task::Runs(things.clone()))),
        instructions: Arc::new(instructions::ThingsInstructions::new(things.clone())),
    }
}

/// Puts a tool together from its file's `spec` and `answer`.
macro_rules! face {
    ($things:expr, $tool:ident) => {
        Arc::new(Face {
            spec: $tool::spec(),
            things: $things.clone(),
            answer: |things, call| Box::pin($tool::answer(things, call)),
        })
    };
}

fn tools(things: &Things) -> Vec<Arc<dyn Tool>> {
    vec![
        face!(things, search_things),
        face!(things, get_thing),
        face!(things, analyze_thing),
        face!(things, list_resources),
        face!(things, describe_resource),
        face!(things, check_resource),
        face!(things, sync_resource),
        face!(things, list_runs),
        face!(things, cancel_run),
    ]
}

/// A tool: its specification, and the function that answers a call.
struct Face {
    spec: ToolSpec,
    things: Things,
    answer: fn(Things, Call) -> BoxFuture<'static, Result<Answer, ToolError>>,
}

impl Tool for Face {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, call: Call) -> BoxFuture<'static, Result<Answer, ToolError>> {
        (self.answer)(self.things.clone(), call)
    }
}

/// Reads an id. What is no id at all is answered like an id of nothing.
fn id<T: FromStr>(text: &str, missing: ThingsError) -> Result<T, ThingsError> {
    text.parse().map_err(|_| missing)
}
