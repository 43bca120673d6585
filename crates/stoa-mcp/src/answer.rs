//! What a tool gives back: an answer, or one of three kinds of error.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use stoa_store::StoreError;
use stoa_store::audit::Status;

/// The answer of a tool: a JSON object, serialized once. How it is shown is the service's [`ResultStyle`].
///
/// [`ResultStyle`]: crate::service::ResultStyle
#[derive(Clone, Debug)]
pub struct Answer {
    structured: Box<RawValue>,
}

impl Answer {
    /// The answer with this object as its `structuredContent`.
    ///
    /// # Errors
    /// [`ToolError::Internal`] where `answer` can't be written as JSON (a map with keys that aren't strings).
    pub fn json(answer: &impl Serialize) -> Result<Self, ToolError> {
        to_raw_value(answer).map(|structured| Self { structured }).map_err(ToolError::internal)
    }

    /// The JSON text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.structured.get()
    }

    /// The object, to be written as it is.
    pub(crate) fn into_raw(self) -> Box<RawValue> {
        self.structured
    }

    /// The object, read back: for tests, and for front doors that show parts of it.
    #[must_use]
    pub fn structured(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
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
