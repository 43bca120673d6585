//! The endpoint: both eras of MCP over streamable HTTP, without sessions.
//!
//! A service hands in a [`Service`]; [`Endpoint::assemble`] puts them together; [`router()`] serves them. The
//! way of a request, each arrow one module, each taking what the one before it made:
//!
//! ```text
//! mount -> host -> bearer -> flood -> body -> envelope -> params, era -> method
//!   tools/call: call (audit opens, listing -> guard -> limit -> tool -> style, audit closes) -> respond
//!   prompts, resources, completion, tasks: the same under `conduct`, without a stream
//!   subscriptions/listen: the same, then `listen` keeps its stream
//! ```
//!
//! Nothing is kept between requests but counts and caches.

pub mod answer;
mod bearer;
mod body;
mod call;
pub mod capability;
mod conduct;
pub mod content;
mod context;
pub mod endpoint;
mod envelope;
mod era;
pub mod flood;
mod guard;
mod incident;
pub mod inputs;
mod limit;
mod listen;
pub mod listing;
pub mod log;
pub mod manifest;
mod metadata;
mod meter;
mod method;
mod offer;
mod page;
mod params;
pub mod progress;
pub mod prompt;
mod reconcile;
mod recorded;
mod refusal;
mod request_state;
pub mod resource;
mod respond;
mod rounds;
mod router;
mod rpc;
mod schema;
pub mod service;
mod style;
pub mod task;
pub mod tool;
mod unique;
mod workspaces;

use stoa_store::{Declared, Migrations};

pub use answer::{Answer, Output, ToolError};
pub use capability::{Capability, ClientCapabilities};
pub use content::{Body, Content, Media, ResourceContents};
pub use endpoint::{AssemblyError, Endpoint, EndpointConfig, Foundations};
pub use flood::FloodLimits;
pub use inputs::{FormAnswer, Given, Inputs, Questions};
pub use log::{Level, LogSink};
pub use manifest::check_manifest;
pub use method::Method;
pub use progress::{ProgressSink, WaitEnd};
pub use prompt::{Message, Messages, Prompt, PromptSpec, Role};
pub use resource::{Contents, Resource, ResourcePage, ResourceTemplate, Resources, ResourcesSpec};
pub use router::{RouteKind, router, routes};
pub use service::{
    BadArgument, CallLimit, Courtesy, Exposure, Instructions, Policy, ResultStyle, ScopeInfo, Service,
};
pub use stoa_store::audit::Mark;
pub use task::{Task, TaskState, Tasks};
pub use tool::{Argument, Call, Effect, Shape, Tool, ToolSpec};

/// The tables of this crate.
pub static MIGRATIONS: Migrations = Migrations {
    component: "mcp",
    sqlite: sqlx::migrate!("migrations/sqlite"),
    postgres: sqlx::migrate!("migrations/postgres"),
};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[reconcile::QUERIES];
