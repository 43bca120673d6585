//! What a tool gives back: an answer, or one of four kinds of error.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use stoa_store::StoreError;
use stoa_store::audit::Status;

use crate::{Capability, Content, Given, Questions, Task};

/// The answer of a tool. How a JSON object is shown is the service's [`ResultStyle`].
///
/// [`ResultStyle`]: crate::service::ResultStyle
#[derive(Debug)]
pub struct Answer(Given<Done>);

/// What a tool did, where nothing had to be asked first.
#[derive(Debug)]
pub(crate) enum Done {
    /// All of it.
    Output(Output),
    /// A beginning: the rest goes on.
    Task(Box<Task>),
}

/// What a tool gives once it is through.
#[derive(Debug)]
pub enum Output {
    /// A JSON object, serialized once.
    Object(Box<RawValue>),
    /// Blocks of content.
    Blocks(Vec<Content>),
}

impl Output {
    /// This object.
    ///
    /// # Errors
    /// [`ToolError::Internal`] where `object` can't be written as JSON (a map with keys that aren't strings).
    pub fn json(object: &impl Serialize) -> Result<Self, ToolError> {
        to_raw_value(object).map(Self::Object).map_err(ToolError::internal)
    }
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self(Given::Ready(Done::Output(output)))
    }
}

impl Answer {
    /// The answer with this object as its `structuredContent`.
    ///
    /// # Errors
    /// [`ToolError::Internal`] where `answer` can't be written as JSON (a map with keys that aren't strings).
    pub fn json(answer: &impl Serialize) -> Result<Self, ToolError> {
        Output::json(answer).map(Self::from)
    }

    /// The answer that is these blocks.
    #[must_use]
    pub const fn content(blocks: Vec<Content>) -> Self {
        Self(Given::Ready(Done::Output(Output::Blocks(blocks))))
    }

    /// Questions that come before there is an answer. Only a client of 2026-07-28 that can ask each of them gets
    /// them; any other gets an error that says so.
    #[must_use]
    pub const fn questions(questions: Questions) -> Self {
        Self(Given::Asks(questions))
    }

    /// Work that goes on, which the client follows: only for one that declared [`Capability::Tasks`].
    #[must_use]
    pub fn task(task: Task) -> Self {
        Self(Given::Ready(Done::Task(Box::new(task))))
    }

    pub(crate) fn into_given(self) -> Given<Done> {
        self.0
    }
}

/// Why a tool gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The caller asked for what is not to be had. An MCP tool error: `{error: code, message, ...extras}`.
    #[error("{code}: {message}")]
    Refused {
        /// The word on the wire: `OverBudget`.
        code: &'static str,
        /// What is wrong and what to do, for a model or a person to read.
        message: String,
        /// Further keys of the error: numbers to act on.
        extras: Map<String, Value>,
        /// How the audit calls it: denied or error.
        audit: Status,
    },
    /// The arguments are wrong in a way that their shapes don't show. Answered in the service's own form, as
    /// the guard's findings are.
    #[error("bad argument: {}", .problems.join("; "))]
    BadArgument {
        /// One sentence for each problem.
        problems: Vec<String>,
    },
    /// It takes a client that can do more. `-32021` in the modern era (MCP 2026-07-28, Basic).
    #[error("the client can't do what this needs: {0:?}")]
    ClientLacks(Vec<Capability>),
    /// Our fault. The caller gets an incident id, the log gets the cause.
    #[error(transparent)]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl ToolError {
    /// A refusal for want of right or budget: durable in the audit before it is answered.
    pub fn denied(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into(), extras: Map::new(), audit: Status::Denied }
    }

    /// A refusal because it can't be done: unknown id, unreachable place.
    pub fn failed(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into(), extras: Map::new(), audit: Status::Error }
    }

    /// One bad argument.
    pub fn bad_argument(problem: impl Into<String>) -> Self {
        Self::BadArgument { problems: vec![problem.into()] }
    }

    /// A fault of ours.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The same refusal with one more key.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        if let Self::Refused { extras, .. } = &mut self {
            extras.insert(key.to_owned(), value.into());
        }
        self
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}
