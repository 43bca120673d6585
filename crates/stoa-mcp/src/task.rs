//! Tasks: work that goes on after the answer, which a client follows by asking (the extension
//! `io.modelcontextprotocol/tasks` of MCP 2026-07-28).

pub(crate) mod wire;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_store::audit::Act;

use crate::{Inputs, Output, Questions, ToolError};

/// The tasks of one service. A task belongs to whoever was given it: each of these asks again what the caller may,
/// and answers `None` for a task that is unknown or another's.
pub trait Tasks: Send + Sync {
    /// Where the task stands; `None` where it is unknown or another's.
    ///
    /// # Errors
    /// [`ToolError::Refused`] where the caller may see no task at all, [`ToolError::Internal`] for a fault of ours.
    fn get(&self, caller: Arc<Caller>, id: String) -> BoxFuture<'static, Result<Option<Task>, ToolError>>;

    /// Takes answers to what the task asks. Those to questions it does not ask are ignored. `None` where the task is
    /// unknown or another's.
    ///
    /// # Errors
    /// [`ToolError::Refused`] where the caller may not, [`ToolError::BadArgument`] for an answer that can't be, and
    /// [`ToolError::Internal`] for a fault of ours.
    fn update(
        &self,
        caller: Arc<Caller>,
        act: Act,
        id: String,
        inputs: Inputs,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>>;

    /// Asks the task to stop, which it does when it can. One that is over stays as it is. `None` where it is unknown
    /// or another's.
    ///
    /// # Errors
    /// [`ToolError::Refused`] where the caller may not, [`ToolError::Internal`] for a fault of ours.
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
    /// It is over, with what its tool gives.
    Over(Result<Output, ToolError>),
    /// It was stopped.
    Cancelled,
}
