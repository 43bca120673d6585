//! Tasks on the wire (`io.modelcontextprotocol/tasks`). A task is named `{service}/{id}`, so that any node and any
//! mount finds who has it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::incident;
use crate::rpc::RpcError;
use crate::style::CallResult;
use crate::{Output, Policy, Task, TaskState, ToolError};

/// The answer that is a task (`CreateTaskResult`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedTask<'a> {
    task_id: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
    created_at: String,
    last_updated_at: String,
    /// A task is kept as long as what it did is.
    ttl_ms: Option<u64>,
    poll_interval_ms: u64,
}

impl<'a> CreatedTask<'a> {
    pub fn new(service: &str, task: &'a Task) -> Self {
        Self {
            task_id: format!("{service}/{}", task.id),
            status: status(&task.state),
            status_message: task.message.as_deref(),
            created_at: task.created_at.to_string(),
            last_updated_at: task.updated_at.to_string(),
            ttl_ms: None,
            poll_interval_ms: u64::try_from(task.poll.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// What `tasks/get` answers: the task, with its result or its questions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailedTask {
    #[serde(flatten)]
    task: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_requests: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize)]
struct Failed {
    code: i32,
    message: Cow<'static, str>,
}

impl From<RpcError> for Failed {
    fn from(error: RpcError) -> Self {
        Self { code: error.code, message: error.message }
    }
}

impl DetailedTask {
    pub fn new(context: &Context, service: &str, policy: Policy, task: Task) -> Self {
        let shown = serde_json::to_value(CreatedTask::new(service, &task)).unwrap_or_default();
        let mut detailed = Self { task: shown, result: None, error: None, input_requests: None };
        match task.state {
            TaskState::Working | TaskState::Cancelled => (),
            TaskState::Asks(questions) => detailed.input_requests = Some(questions.asked().clone()),
            TaskState::Over(Err(ToolError::Internal(error))) => {
                let incident = incident::noted(context.endpoint.ambient(), &*error);
                detailed.error = Some(RpcError::internal(&incident).into());
            }
            TaskState::Over(outcome) => detailed.result = Some(result(policy, outcome)),
        }
        detailed
    }
}

/// As the tool would have answered.
fn result(policy: Policy, outcome: Result<Output, ToolError>) -> Value {
    let result = match outcome {
        Ok(output) => CallResult::of(policy, output),
        Err(error) => CallResult::failed(policy, error),
    };
    let mut result = serde_json::to_value(result).unwrap_or_default();
    result["resultType"] = "complete".into();
    result
}

/// The word for it. An error of the tool is a result like any other; `failed` is for faults of ours.
fn status(state: &TaskState) -> &'static str {
    match state {
        TaskState::Working => "working",
        TaskState::Asks(_) => "input_required",
        TaskState::Over(Err(ToolError::Internal(_))) => "failed",
        TaskState::Over(_) => "completed",
        TaskState::Cancelled => "cancelled",
    }
}
