//! A service of a few tools, each with one trait that the endpoint must cope with.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::json;
use stoa_base::ManualClock;
use stoa_identity::Caller;
use stoa_mcp::{
    Answer, Argument, BadArgument, Call, CallLimit, Courtesy, Effect, Exposure, Instructions, Mark, Policy,
    ResultStyle, ScopeInfo, Service, Tool, ToolError, ToolSpec,
};
use stoa_store::{Database, StoreError};
use tokio::sync::watch;

pub const LIMIT: u32 = 5;

const SCOPES: &[ScopeInfo] = &[
    ScopeInfo { name: "things:read", description: "Read things", preticked: true },
    ScopeInfo { name: "things:write", description: "Change things", preticked: true },
];

/// How far the tool `slow` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slow {
    NotStarted,
    Waiting,
    WaitEnded,
    Done,
    Dropped,
}

/// What tools and tests share.
pub struct Shared {
    pub db: Database,
    pub clock: Arc<ManualClock>,
    pub slow: watch::Sender<Slow>,
    pub release: watch::Sender<bool>,
    /// How many calls of `wait` are at work.
    pub waiting: watch::Sender<usize>,
}

impl Shared {
    pub fn new(db: Database, clock: Arc<ManualClock>) -> Arc<Self> {
        Arc::new(Self {
            db,
            clock,
            slow: watch::Sender::new(Slow::NotStarted),
            release: watch::Sender::new(false),
            waiting: watch::Sender::new(0),
        })
    }

    pub async fn waiting_becomes(&self, count: usize) {
        self.waiting.subscribe().wait_for(|now| *now == count).await.expect("the count");
    }

    pub async fn slow_becomes(&self, state: Slow) {
        self.slow.subscribe().wait_for(|now| *now == state).await.expect("the tool's state");
    }
}

/// A service of one tool that many may call at once.
pub fn crowd(shared: &Arc<Shared>) -> Service {
    let wait = tool(shared, "wait", vec![], |shared, _| wait(shared).boxed());
    let mut service = named("crowd", "crowd", vec![wait]);
    service.policy.limit = CallLimit::PerMinute(10_000);
    service
}

pub fn service(shared: &Arc<Shared>) -> Service {
    named("things", "things", tools(shared))
}

pub fn named(name: &'static str, server_name: &'static str, tools: Vec<Arc<dyn Tool>>) -> Service {
    Service {
        name,
        server_name,
        title: "Things",
        scopes: SCOPES,
        policy: Policy {
            exposure: Exposure::Granted,
            bad_argument: BadArgument::ArgumentError,
            result: ResultStyle::JsonText,
            limit: CallLimit::PerMinute(LIMIT),
            courtesy: Courtesy::Refused,
        },
        tools,
        objects: &[],
        prompts: vec![],
        resources: None,
        tasks: None,
        instructions: Arc::new(Hello),
    }
}

struct Hello;

impl Instructions for Hello {
    fn text<'a>(&'a self, caller: &'a Arc<Caller>) -> BoxFuture<'a, Result<String, StoreError>> {
        async move { Ok(format!("Call echo first. You call yourself {}.", caller.label)) }.boxed()
    }
}

type Body = fn(Arc<Shared>, Call) -> BoxFuture<'static, Result<Answer, ToolError>>;

pub struct Fixture {
    spec: ToolSpec,
    shared: Arc<Shared>,
    body: Body,
}

impl Tool for Fixture {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, call: Call) -> BoxFuture<'static, Result<Answer, ToolError>> {
        (self.body)(self.shared.clone(), call)
    }
}

pub fn tool(shared: &Arc<Shared>, name: &'static str, arguments: Vec<Argument>, body: Body) -> Arc<dyn Tool> {
    let spec = ToolSpec {
        name,
        title: "A tool",
        description: "For tests.",
        scope: "things:read",
        effect: Effect::ReadOnly,
        arguments,
    };
    Arc::new(Fixture { spec, shared: shared.clone(), body })
}

fn tools(shared: &Arc<Shared>) -> Vec<Arc<dyn Tool>> {
    let text = Argument::text("text", "What to say.").max_chars(20).mark(Mark::Keep).required();
    let times = Argument::integer("times", "How often.", 1, 3).mark(Mark::Keep);
    let secret = Argument::text("secret", "A secret.").mark(Mark::Never);
    let mut write = Fixture {
        spec: tool(shared, "write", vec![], |_, _| unreachable!()).spec().clone(),
        shared: shared.clone(),
        body: |shared, call| write(shared, call).boxed(),
    };
    write.spec.scope = "things:write";
    write.spec.effect = Effect::Writes { destructive: false, idempotent: true };
    vec![
        tool(shared, "echo", vec![text, times, secret], |_, call| async move { echo(&call) }.boxed()),
        tool(shared, "slow", vec![], |shared, call| slow(shared, call).boxed()),
        tool(shared, "progress", vec![], |shared, call| progress(shared, call).boxed()),
        tool(shared, "panic", vec![], |_, _| async { panic!("on purpose") }.boxed()),
        tool(shared, "panic_early", vec![], |_, _| panic!("on purpose")),
        tool(shared, "broken", vec![], |_, _| async { Err(ToolError::internal("a broken disk")) }.boxed()),
        tool(shared, "missing", vec![], |_, _| {
            async { Err(ToolError::failed("ActiveRecord::RecordNotFound", "There is no such thing.")) }
                .boxed()
        }),
        Arc::new(write),
    ]
}

#[derive(Deserialize)]
struct Echo {
    text: String,
    times: Option<usize>,
}

fn echo(call: &Call) -> Result<Answer, ToolError> {
    let Echo { text, times } = call.parse()?;
    if text == "tomorrow" {
        return Err(ToolError::bad_argument("`text` must not be tomorrow"));
    }
    Answer::json(&json!({ "text": text.repeat(times.unwrap_or(1)) }))
}

/// Waits until it is released, then works on until it is released again.
async fn slow(shared: Arc<Shared>, call: Call) -> Result<Answer, ToolError> {
    let _notes_a_drop = NotesDrop(shared.clone());
    let mut release = shared.release.subscribe();
    shared.slow.send_replace(Slow::Waiting);
    let ended = tokio::select! {
        _released = release.wait_for(|released| *released) => false,
        () = call.wait_end.come() => true,
    };
    if ended {
        shared.slow.send_replace(Slow::WaitEnded);
        release.wait_for(|released| *released).await.expect("the test lives");
    }
    shared.slow.send_replace(Slow::Done);
    Answer::json(&json!({ "waited": true }))
}

/// Waits until it is released, and is counted as long.
async fn wait(shared: Arc<Shared>) -> Result<Answer, ToolError> {
    let _counted = Counted::new(shared.clone());
    shared.release.subscribe().wait_for(|released| *released).await.expect("the test lives");
    Answer::json(&json!({ "waited": true }))
}

struct Counted(Arc<Shared>);

impl Counted {
    fn new(shared: Arc<Shared>) -> Self {
        shared.waiting.send_modify(|waiting| *waiting += 1);
        Self(shared)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.waiting.send_modify(|waiting| *waiting -= 1);
    }
}

struct NotesDrop(Arc<Shared>);

impl Drop for NotesDrop {
    fn drop(&mut self) {
        self.0.slow.send_if_modified(|state| {
            let dropped = *state != Slow::Done;
            if dropped {
                *state = Slow::Dropped;
            }
            dropped
        });
    }
}

/// 0, 50, 50 again, 60 at once, then 100: of which 0, 50 and 100 are news.
async fn progress(shared: Arc<Shared>, call: Call) -> Result<Answer, ToolError> {
    for (done, pause) in [(0.0, 200), (50.0, 200), (50.0, 50), (60.0, 0), (100.0, 200)] {
        shared.clock.advance(Duration::from_millis(pause));
        call.progress.report(done, Some(100.0), Some("going on"));
        tokio::task::yield_now().await;
    }
    Answer::json(&json!({ "done": true }))
}

async fn write(shared: Arc<Shared>, call: Call) -> Result<Answer, ToolError> {
    let tx = shared.db.begin().await?;
    call.act.commit(tx).await?;
    Answer::json(&json!({ "written": true }))
}
