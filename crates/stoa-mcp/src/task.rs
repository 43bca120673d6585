//! Tasks: work that goes on after the answer, which a client follows by asking (the extension
//! `io.modelcontextprotocol/tasks` of MCP 2026-07-28).

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_store::audit::Act;

use crate::{Answer, Inputs, Questions, ToolError};

/// The tasks of one service. A task belongs to whoever was given it: each of these asks again what the caller may,
/// and answers `None` for a task that is unknown or another's.
pub trait Tasks: Send + Sync {
    /// Where the task stands.
    fn get(&self, caller: Arc<Caller>, id: String) -> BoxFuture<'static, Result<Option<Task>, ToolError>>;

    /// Takes answers to what the task asks. Those to questions it does not ask are ignored.
    fn update(
        &self,
        caller: Arc<Caller>,
        act: Act,
        id: String,
        inputs: Inputs,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>>;

    /// Asks the task to stop, which it does when it can. One that is over stays as it is.
    fn cancel(
        &self,
        caller: Arc<Caller>,
        act: Act,
        id: String,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>>;
}

/// A task as it stands.
#[derive(Debug)]
pub struct Task {
    /// Its id within the service: visible ASCII.
    pub id: String,
    /// Where it stands.
    pub state: TaskState,
    /// That in words, for people.
    pub message: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// How long a client should wait before it asks again.
    pub poll: Duration,
}

/// Where a task stands.
#[derive(Debug)]
pub enum TaskState {
    /// It goes on.
    Working,
    /// It waits for answers.
    Asks(Questions),
    /// It is over, with what its tool would have answered.
    Over(Result<Answer, ToolError>),
    /// It was stopped.
    Cancelled,
}
