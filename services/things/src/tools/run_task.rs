//! A run as a task of MCP (`io.modelcontextprotocol/tasks`): for clients that declared that they follow tasks. It is
//! the same run that `list_runs` shows.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;
use stoa_identity::Caller;
use stoa_mcp::{Answer, Call, Capability, Inputs, Output, Task, TaskState, Tasks, ToolError};
use stoa_runs::{RunId, RunRow, RunStatus};
use stoa_store::audit::Act;

use super::id;
use crate::operations::cancel_run::cancel_run;
use crate::operations::get_run::get_run;
use crate::operations::list_runs::ListedRun;
use crate::operations::{Things, ThingsError};

/// How long a client should wait before it asks again.
const POLL: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Queued {
    status: &'static str,
    run_id: RunId,
}

/// What every tool that starts a run answers: a task where the client follows tasks and may see this run as its own,
/// else the run's id. Who merely waits for another's run gets its id.
pub(super) async fn started(things: &Things, call: &Call, run_id: RunId) -> Result<Answer, ToolError> {
    if call.client.has(Capability::Tasks)
        && let Some(run) = own(get_run(things, &call.caller, run_id).await)?
    {
        return Ok(Answer::task(task(run)?));
    }
    Answer::json(&Queued { status: "queued", run_id })
}

/// The run, where there is one that the caller may see.
fn own(run: Result<RunRow, ThingsError>) -> Result<Option<RunRow>, ThingsError> {
    match run {
        Ok(run) => Ok(Some(run)),
        Err(ThingsError::NotFound { .. } | ThingsError::Denied { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A run that could not be done is a task that is over: what its tool tells of it is an error.
fn task(run: RunRow) -> Result<Task, ToolError> {
    Ok(Task {
        id: run.id.to_string(),
        message: Some(message(&run)),
        created_at: run.created_at,
        updated_at: run.finished_at.or(run.started_at).unwrap_or(run.created_at),
        poll: POLL,
        state: match run.status {
            RunStatus::Queued | RunStatus::Running => TaskState::Working,
            RunStatus::Cancelled => TaskState::Cancelled,
            RunStatus::Done => TaskState::Over(Ok(Output::json(&ListedRun::from(run))?)),
            RunStatus::Failed => {
                let why = run.error.unwrap_or_else(|| "The run failed.".to_owned());
                TaskState::Over(Err(ToolError::failed("Run::Failed", why)))
            }
        },
    })
}

fn message(run: &RunRow) -> String {
    let (status, done) = (run.status.as_str(), run.progress.done);
    match run.progress.total {
        Some(total) => format!("{status}: {done} of {total} objects"),
        None => format!("{status}: {done} objects"),
    }
}

/// The runs of this service.
pub(super) struct Runs(pub Things);

impl Tasks for Runs {
    fn get(&self, caller: Arc<Caller>, id: String) -> BoxFuture<'static, Result<Option<Task>, ToolError>> {
        let things = self.0.clone();
        async move { find(&things, &caller, &id).await?.map(task).transpose() }.boxed()
    }

    /// A run asks nothing, so that there is nothing to take.
    fn update(
        &self,
        caller: Arc<Caller>,
        _act: Act,
        id: String,
        _inputs: Inputs,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        let things = self.0.clone();
        async move { Ok(find(&things, &caller, &id).await?.map(drop)) }.boxed()
    }

    fn cancel(
        &self,
        caller: Arc<Caller>,
        act: Act,
        id: String,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        let things = self.0.clone();
        async move {
            match cancel(&things, &caller, &act, &id).await {
                Ok(()) => Ok(Some(())),
                Err(ThingsError::NotFound { .. }) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }
        .boxed()
    }
}

async fn find(things: &Things, caller: &Arc<Caller>, text: &str) -> Result<Option<RunRow>, ThingsError> {
    match id(text, ThingsError::NO_RUN) {
        Ok(run) => own(get_run(things, caller, run).await),
        Err(_) => Ok(None),
    }
}

async fn cancel(things: &Things, caller: &Arc<Caller>, act: &Act, text: &str) -> Result<(), ThingsError> {
    cancel_run(things, caller, act, id(text, ThingsError::NO_RUN)?).await.map(drop)
}
