//! Work that goes on as a task. A job is what it was given and when it began; how far it is follows from the clock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use stoa_base::{Ambient, Id, InstallationId, Timestamp};
use stoa_identity::Caller;
use stoa_mcp::{
    Answer, Argument, Call, Capability, Content, FormAnswer, Inputs, Mark, Output, Questions, Task,
    TaskState, Tasks, Tool, ToolError, ToolSpec,
};
use stoa_store::audit::Act;

use crate::asking::field;
use crate::tool::spec;

type Outcome = Result<Answer, ToolError>;

/// How long a job without a length of its own takes.
const USUAL: Duration = Duration::from_secs(1);
/// How long a client should wait before it asks again.
const POLL: Duration = Duration::from_millis(200);

#[derive(Debug)]
enum JobKind {}

/// The jobs of everybody.
pub struct Jobs {
    ambient: Ambient,
    all: Mutex<HashMap<String, Job>>,
}

#[derive(Clone)]
struct Job {
    owner: InstallationId,
    began: Timestamp,
    changed: Timestamp,
    takes: Duration,
    end: End,
    /// The keys that are still to be answered.
    open: Vec<&'static str>,
    cancelled: bool,
}

/// How a job ends.
#[derive(Clone)]
enum End {
    Says(String),
    Fails,
    Breaks,
}

impl Jobs {
    pub fn new(ambient: Ambient) -> Arc<Self> {
        Arc::new(Self { ambient, all: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Job>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a job, for a client that can follow it.
    fn begin(&self, call: &Call, takes: Duration, end: End, open: Vec<&'static str>) -> Outcome {
        if !call.client.has(Capability::Tasks) {
            return Err(ToolError::ClientLacks(vec![Capability::Tasks]));
        }
        let now = self.ambient.now();
        let owner = call.caller.installation;
        let job = Job { owner, began: now, changed: now, takes, end, open, cancelled: false };
        let id = Id::<JobKind>::new(&self.ambient).to_string();
        let task = job.clone().task(id.clone(), now);
        self.lock().insert(id, job);
        Ok(Answer::task(task))
    }

    /// The caller's job, changed.
    fn with<T>(&self, caller: &Caller, id: &str, change: impl FnOnce(&mut Job, Timestamp) -> T) -> Option<T> {
        let now = self.ambient.now();
        let mut all = self.lock();
        let job = all.get_mut(id).filter(|job| job.owner == caller.installation)?;
        Some(change(job, now))
    }
}

impl Job {
    fn is_over(&self, now: Timestamp) -> bool {
        self.cancelled || self.open.is_empty() && now.since(self.began) >= self.takes
    }

    fn task(self, id: String, now: Timestamp) -> Task {
        let state = if self.cancelled {
            TaskState::Cancelled
        } else if !self.open.is_empty() {
            let form = |asked: Questions, key: &&str| asked.form(key, "Go on?", &field(key, "boolean"));
            TaskState::Asks(self.open.iter().fold(Questions::new(), form))
        } else if self.is_over(now) {
            TaskState::Over(self.end.outcome())
        } else {
            TaskState::Working
        };
        Task { id, state, message: None, created_at: self.began, updated_at: self.changed, poll: POLL }
    }
}

impl End {
    fn outcome(self) -> Result<Output, ToolError> {
        match self {
            Self::Says(text) => Ok(Output::Blocks(vec![Content::text(text)])),
            Self::Fails => Err(ToolError::failed("Fixture::Failed", "This job always fails.")),
            Self::Breaks => Err(ToolError::internal("this job always breaks")),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what a tool gives")]
fn say(text: String) -> Outcome {
    Ok(Answer::content(vec![Content::text(text)]))
}

impl Tasks for Jobs {
    fn get(&self, caller: Arc<Caller>, id: String) -> BoxFuture<'static, Result<Option<Task>, ToolError>> {
        let task = self.with(&caller, &id, |job, now| job.clone().task(id.clone(), now));
        async { Ok(task) }.boxed()
    }

    fn update(
        &self,
        caller: Arc<Caller>,
        _act: Act,
        id: String,
        inputs: Inputs,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        let updated = self.with(&caller, &id, |job, now| {
            job.open.retain(|key| inputs.form(key).is_none());
            job.changed = now;
        });
        async move { Ok(updated) }.boxed()
    }

    fn cancel(
        &self,
        caller: Arc<Caller>,
        _act: Act,
        id: String,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        let cancelled = self.with(&caller, &id, |job, now| {
            if !job.is_over(now) {
                job.cancelled = true;
                job.changed = now;
            }
        });
        async move { Ok(cancelled) }.boxed()
    }
}

struct JobTool {
    spec: ToolSpec,
    jobs: Arc<Jobs>,
    body: fn(&Jobs, &Call) -> Outcome,
}

impl Tool for JobTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, call: Call) -> BoxFuture<'static, Outcome> {
        let outcome = (self.body)(&self.jobs, &call);
        async { outcome }.boxed()
    }
}

pub fn tools(jobs: &Arc<Jobs>) -> Vec<Arc<dyn Tool>> {
    let tool = |name, arguments, body: fn(&Jobs, &Call) -> Outcome| -> Arc<dyn Tool> {
        Arc::new(JobTool { spec: spec(name, "Works for a while.", arguments), jobs: jobs.clone(), body })
    };
    let text = |name| Argument::text(name, "For tests.").mark(Mark::Keep);
    vec![
        tool("greet", vec![text("name")], |_, call| say(format!("Hello, {}!", word(call, "name")))),
        tool(
            "slow_compute",
            vec![Argument::integer("seconds", "How long.", 0, 3600).mark(Mark::Keep), text("label")],
            |jobs, call| {
                let seconds = call.arguments.get("seconds").and_then(serde_json::Value::as_u64).unwrap_or(1);
                compute(jobs, call, seconds)
            },
        ),
        tool("failing_job", vec![], |jobs, call| jobs.begin(call, USUAL, End::Fails, vec![])),
        tool("protocol_error_job", vec![], |jobs, call| jobs.begin(call, USUAL, End::Breaks, vec![])),
        tool("confirm_delete", vec![text("filename")], |jobs, call| {
            let end = End::Says(format!("Deleted {}.", word(call, "filename")));
            jobs.begin(call, Duration::ZERO, end, vec!["confirm"])
        }),
        tool("multi_input", vec![], |jobs, call| {
            jobs.begin(call, Duration::ZERO, End::Says("Both answered.".to_owned()), vec!["first", "second"])
        }),
        tool("test_tool_with_task", vec![], greet_later),
    ]
}

/// Takes its time where the client can follow it; whoever can't gets a quick answer.
fn compute(jobs: &Jobs, call: &Call, seconds: u64) -> Outcome {
    if !call.client.has(Capability::Tasks) {
        return say("Computed in haste.".to_owned());
    }
    jobs.begin(call, Duration::from_secs(seconds), End::Says("Computed.".to_owned()), vec![])
}

/// Asks for a name first, then goes on as a task.
fn greet_later(jobs: &Jobs, call: &Call) -> Outcome {
    if let Some(FormAnswer::Accepted(form)) = call.inputs.form("user_name") {
        let end = End::Says(format!("Hello, {}!", form.get("name").unwrap_or(&json!("nobody"))));
        return jobs.begin(call, Duration::ZERO, end, vec![]);
    }
    let schema = field("name", "string");
    Ok(Answer::questions(Questions::new().form("user_name", "What is your name?", &schema)))
}

fn word(call: &Call, name: &str) -> String {
    call.arguments.get(name).and_then(|value| value.as_str()).unwrap_or("nobody").to_owned()
}
