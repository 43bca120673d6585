//! A tool: what it says of itself, and what it is called with.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use stoa_identity::Caller;
use stoa_store::audit::{Act, Mark};

use crate::{Answer, ClientCapabilities, Inputs, LogSink, ProgressSink, ToolError, WaitEnd};

/// One tool. Its file holds the arguments as a type, the specification, and a `call` that parses, authorizes
/// and hands to an operation.
pub trait Tool: Send + Sync {
    /// What clients are told of it; the same at every call.
    fn spec(&self) -> &ToolSpec;

    /// Does it. The future owns all it needs: it lives in the HTTP response, and is dropped wherever it
    /// waits when a client of the modern era goes away.
    ///
    /// # Errors
    /// [`ToolError::Refused`] for what is not to be had (a right, a budget, an id that is unknown or foreign),
    /// [`ToolError::BadArgument`] for arguments that their shapes allow and that are wrong all the same,
    /// [`ToolError::ClientLacks`] where it takes another client, and [`ToolError::Internal`] for a fault of ours.
    fn call(&self, call: Call) -> BoxFuture<'static, Result<Answer, ToolError>>;
}

/// What a tool says of itself.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// At most 40 characters of `[a-z0-9_]`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it does and when to use it. Under 1,800 bytes, the vital part first: clients cut at 2,048.
    pub description: &'static str,
    /// The scope a grant must hold.
    pub scope: &'static str,
    /// What it changes.
    pub effect: Effect,
    /// What it takes.
    pub arguments: Vec<Argument>,
}

/// What a call changes (the annotations of MCP).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    ReadOnly,
    /// Something.
    Writes {
        /// Whether something may be lost by it.
        destructive: bool,
        /// Whether the same call twice leaves the same as once.
        idempotent: bool,
    },
}

/// One argument. Absent and null mean the same: left out.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name, as clients send it.
    pub name: &'static str,
    /// What it means, for a model to read.
    pub description: &'static str,
    /// Which values it takes.
    pub shape: Shape,
    /// Whether a call without it is refused.
    pub required: bool,
    /// What the audit keeps of it. `None` fails [`crate::check_manifest`]; were it called all the same, only
    /// the length would be kept.
    pub mark: Option<Mark>,
}

/// Which values an argument takes: flat, as clients drop or mangle anything richer.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A string.
    Text {
        /// The longest, in Unicode scalar values.
        max_chars: u32,
    },
    /// A whole number.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// True or false.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A closed object of scalars: only where [`crate::Service::objects`] makes an exception.
    Closed(Vec<Argument>),
}

/// The longest text where a tool names no bound: room for any id, name or query.
const MAX_CHARS: u32 = 4_000;

impl Argument {
    /// A string of at most 4,000 characters.
    #[must_use]
    pub const fn text(name: &'static str, description: &'static str) -> Self {
        Self::of(name, description, Shape::Text { max_chars: MAX_CHARS })
    }

    /// A whole number from `min` to `max`, both included.
    #[must_use]
    pub const fn integer(name: &'static str, description: &'static str, min: i64, max: i64) -> Self {
        Self::of(name, description, Shape::Integer { min, max })
    }

    /// True or false.
    #[must_use]
    pub const fn boolean(name: &'static str, description: &'static str) -> Self {
        Self::of(name, description, Shape::Boolean)
    }

    /// One of `words`.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        description: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::of(name, description, Shape::Choice(words))
    }

    /// A closed object of scalars.
    #[must_use]
    pub const fn closed(name: &'static str, description: &'static str, members: Vec<Self>) -> Self {
        Self::of(name, description, Shape::Closed(members))
    }

    const fn of(name: &'static str, description: &'static str, shape: Shape) -> Self {
        Self { name, description, shape, required: false, mark: None }
    }

    /// Bounds the length of a text, in Unicode scalar values.
    #[must_use]
    pub fn max_chars(mut self, chars: u32) -> Self {
        if let Shape::Text { max_chars } = &mut self.shape {
            *max_chars = chars;
        }
        self
    }

    /// Says what the audit keeps of it.
    #[must_use]
    pub const fn mark(mut self, mark: Mark) -> Self {
        self.mark = Some(mark);
        self
    }

    /// Refuses calls without it.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// One call of a tool, a prompt or a resource, past every gate: authenticated, granted, valid and within the limit.
#[derive(Debug)]
pub struct Call {
    /// Who calls, and what they may reach.
    pub caller: Arc<Caller>,
    /// The call under audit: every write of an operation ends in [`Act::commit`].
    pub act: Act,
    /// The arguments: valid by the specification, nulls removed.
    pub arguments: Map<String, Value>,
    /// What the client sent for the questions of the round before.
    pub inputs: Inputs,
    /// What the client can do.
    pub client: ClientCapabilities,
    /// Where progress goes.
    pub progress: ProgressSink,
    /// Where the client is told something beside the answer.
    pub log: LogSink,
    /// Tells a wait that nobody waits any longer.
    pub wait_end: WaitEnd,
}

impl Call {
    /// The arguments as a type of the tool's own.
    ///
    /// # Errors
    /// [`ToolError::BadArgument`] where a value has the right shape and is still no `T` (a date that isn't one).
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        T::deserialize(&self.arguments).map_err(|problem| ToolError::bad_argument(problem.to_string()))
    }
}
