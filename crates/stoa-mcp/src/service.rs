//! A service as the endpoint sees it: tools, prompts, resources, tasks, scopes, instructions, and the policies in
//! which services differ.

use std::sync::Arc;

use futures::future::BoxFuture;
use stoa_identity::Caller;
use stoa_store::StoreError;

use crate::{Prompt, Resources, Tasks, Tool};

/// What a service hands to the assembly. Adding a service adds one of these and touches nothing here.
#[derive(Clone)]
pub struct Service {
    /// Its name in mounts, paths and configuration: `things`.
    pub name: &'static str,
    /// What it calls itself to MCP clients (`serverInfo.name`).
    pub server_name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The scopes its tools ask for, in the order in which people see them.
    pub scopes: &'static [ScopeInfo],
    /// How it differs from the other services.
    pub policy: Policy,
    /// Its tools, in the order in which clients see them.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The arguments, as tool and name, that are objects. Every other one is flat, as clients drop or mangle
    /// anything richer: a test keeps the list of all that may ever stand here.
    pub objects: &'static [(&'static str, &'static str)],
    /// Its prompts, in the order in which clients see them.
    pub prompts: Vec<Arc<dyn Prompt>>,
    /// Its resources, where it has any.
    pub resources: Option<Arc<dyn Resources>>,
    /// Its tasks, where some of its tools answer with one.
    pub tasks: Option<Arc<dyn Tasks>>,
    /// What it tells an agent at the start.
    pub instructions: Arc<dyn Instructions>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("name", &self.name).finish_non_exhaustive()
    }
}

/// One scope (RFC 6749 section 3.3) as people are asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeInfo {
    /// The scope: `things:read`.
    pub name: &'static str,
    /// What it allows, in plain words.
    pub description: &'static str,
    /// Whether its box on the consent page starts ticked.
    pub preticked: bool,
}

/// What differs between services and is data. A variant arrives with the service that needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Which tools a caller sees.
    pub exposure: Exposure,
    /// How a bad argument is answered.
    pub bad_argument: BadArgument,
    /// What a result looks like.
    pub result: ResultStyle,
    /// How often tools may be called.
    pub limit: CallLimit,
    /// What becomes of requests of the legacy era that need a session to mean anything.
    pub courtesy: Courtesy,
}

/// What becomes of `logging/setLevel` and `resources/subscribe` of the legacy era. Both ask the server to remember
/// something about a session, and there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Courtesy {
    /// There are no such methods, no capability promises them, and no tool tells its client anything beside the
    /// answer.
    Refused,
    /// They are answered and change nothing. `setLevel`: tools go on to tell what they tell, from level `info` on; a
    /// client of 2026-07-28 names its level with each request.
    /// `subscribe`: no notification ever comes, as there is no stream to send it on; the resource is there and can
    /// be read again. For services whose clients insist.
    Answered,
}

/// Which tools, prompts and resources a caller sees, and what becomes of a request for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// Those whose scope was granted. Outside the grant they do not exist: `-32602 Tool not found: NAME`, audited
    /// denied.
    Granted,
}

/// How a bad argument is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadArgument {
    /// A tool error with the code `ArgumentError`, whose message names each problem.
    ArgumentError,
}

impl BadArgument {
    /// The error's code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::ArgumentError => "ArgumentError",
        }
    }
}

/// What the result of a call looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultStyle {
    /// `structuredContent`, and one text block with the same JSON.
    JsonText,
}

impl Exposure {
    /// Whether what needs `scope` exists for this caller.
    pub(crate) fn shows(self, caller: &Caller, scope: &str) -> bool {
        match self {
            Self::Granted => caller.scopes.contains(scope),
        }
    }
}

/// How often one installation may ask this service for something: call its tools, get its prompts, read its
/// resources, follow its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLimit {
    /// So many calls in each minute of the clock.
    PerMinute(u32),
}

impl CallLimit {
    /// The ceiling of one minute.
    #[must_use]
    pub const fn per_minute(self) -> u32 {
        match self {
            Self::PerMinute(ceiling) => ceiling,
        }
    }
}

/// What a service tells an agent that connects: counts, settings and how to start; never a title, a quote
/// or a note. Under 1,800 bytes, the vital part first.
pub trait Instructions: Send + Sync {
    /// The text for this caller.
    fn text<'a>(&'a self, caller: &'a Arc<Caller>) -> BoxFuture<'a, Result<String, StoreError>>;
}
