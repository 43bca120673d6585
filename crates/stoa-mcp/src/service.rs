//! A service as the endpoint sees it: tools, scopes, instructions, and the policies in which services differ.

use std::sync::Arc;

use futures::future::BoxFuture;
use stoa_identity::Caller;
use stoa_store::StoreError;

use crate::Tool;

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
}

/// Which tools a caller sees, and what becomes of a call to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// Those whose scope was granted. Outside the grant a tool does not exist: `-32602 Tool not found: NAME`,
    /// audited denied.
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

/// How often one installation may call the tools of this service.
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
