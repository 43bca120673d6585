//! A service beyond tools: prompts, a resource that changes, a task, and a tool that asks back.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_mcp::{
    Answer, Argument, Body, Call, Capability, Content, Contents, FormAnswer, Given, Inputs, Mark, Message,
    Messages, Prompt, PromptSpec, Questions, Resource, ResourceContents, ResourcePage, ResourceTemplate,
    Resources, ResourcesSpec, Service, Task, TaskState, Tasks, ToolError,
};
use stoa_store::audit::Act;
use stoa_store::{Database, Topic};

use crate::fixture::{Shared, named, tool};
use crate::stand::{Answered, Asking, Stand};

/// The topic that tells of changes of the resource.
pub const CHANGED: Topic = "test_rooms";
/// The one resource there is.
pub const ROOM: &str = "stoa:rooms/room/1";
/// The one task there is.
pub const TASK: &str = "rooms/1";

/// A stand with the service `rooms`, and a token for all of it.
pub struct Rooms {
    pub stand: Stand,
    pub token: String,
}

impl Rooms {
    pub async fn new() -> Self {
        let stand = Stand::with(|_| (), |shared| vec![service(shared)]).await;
        let token = stand.token_for("rooms", "things:read things:write").await;
        Self { stand, token }
    }

    /// A request of the modern era, of a client that declared `capabilities`.
    pub fn modern(&self, method: &str, mut params: Value, capabilities: &Value) -> Asking<'_> {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
        let name = ["name", "uri", "taskId"].iter().find_map(|key| params[key].as_str().map(str::to_owned));
        let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
        let asking = self.stand.post("/rooms/mcp", &body).bearer(&self.token);
        let asking = asking.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        let asking = asking.header("accept", "application/json, text/event-stream");
        asking.header("mcp-name", &name.unwrap_or_default())
    }

    /// The same of the legacy era.
    pub fn legacy(&self, method: &str, params: Value) -> Asking<'_> {
        self.stand.legacy(method, params).path("/rooms/mcp").bearer(&self.token)
    }

    /// The result of a modern request that succeeds.
    pub async fn result(&self, method: &str, params: Value) -> Value {
        let answered = self.modern(method, params, &json!({})).send().await;
        result(&answered)
    }
}

/// The result of an answer.
pub fn result(answered: &Answered) -> Value {
    let json = answered.json();
    assert!(json.get("error").is_none(), "{json}");
    json["result"].clone()
}

pub fn service(shared: &Arc<Shared>) -> Service {
    Service {
        prompts: vec![
            Arc::new(Greet::new("greet", "things:read")),
            Arc::new(Greet::new("greet_all", "things:write")),
        ],
        resources: Some(Arc::new(Room::new(shared.db.clone()))),
        tasks: Some(Arc::new(OneTask)),
        ..named(
            "rooms",
            "rooms",
            vec![
                tool(shared, "ask", vec![Argument::text("about", "What.").mark(Mark::Keep)], |_, call| {
                    async move { ask(&call) }.boxed()
                }),
                tool(shared, "work", vec![], |_, call| async move { work(&call) }.boxed()),
            ],
        )
    }
}

/// Asks for a name, and remembers what it asked about.
fn ask(call: &Call) -> Result<Answer, ToolError> {
    if let (Some(FormAnswer::Accepted(form)), Some(state)) = (call.inputs.form("name"), call.inputs.state()) {
        return Answer::json(&json!({ "name": form["name"], "state": state }));
    }
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let about = call.arguments.get("about").cloned().unwrap_or_default();
    Ok(Answer::questions(Questions::new().form("name", "Who are you?", &schema).remember(about)))
}

fn work(call: &Call) -> Result<Answer, ToolError> {
    if call.client.has(Capability::Tasks) {
        Ok(Answer::task(one_task()))
    } else {
        Answer::json(&json!({ "run": 1 }))
    }
}

struct Greet(PromptSpec);

impl Greet {
    fn new(name: &'static str, scope: &'static str) -> Self {
        Self(PromptSpec {
            name,
            title: "Greet",
            description: "Greets somebody.",
            scope,
            arguments: vec![
                Argument::text("who", "Whom.").max_chars(10).mark(Mark::Keep).required(),
                Argument::text("secret", "Why.").mark(Mark::Never),
            ],
            completes: name == "greet",
        })
    }
}

impl Prompt for Greet {
    fn spec(&self) -> &PromptSpec {
        &self.0
    }

    fn get(&self, call: Call) -> BoxFuture<'static, Result<Given<Messages>, ToolError>> {
        async move {
            let who = call.arguments["who"].as_str().unwrap_or_default();
            if who == "nobody" {
                return Ok(Given::Asks(Questions::new().form("who", "Whom?", &json!({ "type": "object" }))));
            }
            let messages = vec![Message::user(Content::text(format!("Hello, {who}!")))];
            Ok(Given::Ready(Messages { description: "A greeting.".to_owned(), messages }))
        }
        .boxed()
    }

    fn complete(
        &self,
        _caller: Arc<Caller>,
        argument: String,
        typed: String,
    ) -> BoxFuture<'static, Result<Vec<String>, ToolError>> {
        async move { Ok(vec![format!("{argument}={typed}!")]) }.boxed()
    }
}

struct Room {
    spec: ResourcesSpec,
    db: Database,
}

impl Room {
    fn new(db: Database) -> Self {
        let template = ResourceTemplate {
            uri_template: "stoa:rooms/room/{id}",
            name: "room",
            title: "A room",
            description: "What is said there.",
            mime_type: None,
        };
        let spec = ResourcesSpec {
            prefix: "stoa:rooms/",
            scope: "things:read",
            templates: vec![template],
            mark: Mark::Keep,
            ttl_ms: 1_000,
            watchable: true,
            completes: false,
        };
        Self { spec, db }
    }
}

impl Resources for Room {
    fn spec(&self) -> &ResourcesSpec {
        &self.spec
    }

    fn list(
        &self,
        _caller: Arc<Caller>,
        cursor: Option<String>,
    ) -> BoxFuture<'static, Result<ResourcePage, ToolError>> {
        let page = |name: &str, next| ResourcePage {
            resources: vec![Resource {
                uri: ROOM.to_owned(),
                name: name.to_owned(),
                description: None,
                mime_type: None,
            }],
            next,
        };
        let page = match cursor {
            None => page("first", Some("2".to_owned())),
            Some(at) => page(&format!("page {at}"), None),
        };
        async { Ok(page) }.boxed()
    }

    fn read(
        &self,
        uri: String,
        _call: Call,
    ) -> BoxFuture<'static, Result<Option<Given<Contents>>, ToolError>> {
        let body = Body::Text("Nothing was said.".to_owned());
        let found = (uri == ROOM).then(|| ResourceContents { uri, mime_type: "text/plain".to_owned(), body });
        async move { Ok(found.map(|contents| Given::Ready(vec![contents]))) }.boxed()
    }

    fn changes(
        &self,
        uri: String,
        _caller: Arc<Caller>,
    ) -> BoxFuture<'static, Result<Option<BoxStream<'static, ()>>, ToolError>> {
        let rings = self.db.wakeups().subscribe(CHANGED);
        let changes = stream::unfold(rings, |mut rings| async {
            rings.changed().await.ok()?;
            Some(((), rings))
        });
        async move { Ok((uri == ROOM).then(|| changes.boxed())) }.boxed()
    }
}

struct OneTask;

fn one_task() -> Task {
    let at = Timestamp::from_micros(0);
    Task {
        id: "1".to_owned(),
        state: TaskState::Working,
        message: None,
        created_at: at,
        updated_at: at,
        poll: Duration::from_secs(1),
    }
}

impl Tasks for OneTask {
    fn get(&self, _caller: Arc<Caller>, id: String) -> BoxFuture<'static, Result<Option<Task>, ToolError>> {
        async move { Ok((id == "1").then(one_task)) }.boxed()
    }

    fn update(
        &self,
        _caller: Arc<Caller>,
        _act: Act,
        id: String,
        _inputs: Inputs,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        async move { Ok((id == "1").then_some(())) }.boxed()
    }

    fn cancel(
        &self,
        _caller: Arc<Caller>,
        _act: Act,
        id: String,
    ) -> BoxFuture<'static, Result<Option<()>, ToolError>> {
        async move { Ok((id == "1").then_some(())) }.boxed()
    }
}
