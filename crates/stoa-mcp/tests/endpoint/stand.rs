//! One Stoa in process, with a person and tokens.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use stoa_base::cursor::CursorKey;
use stoa_base::{Ambient, ManualClock, WorkspaceId};
use stoa_identity::tokens::{self, AddedToken, NewToken};
use stoa_identity::{Authenticator, Email, Grant, MountId, Reach, WorkspaceName, accounts, workspaces};
use stoa_mcp::{Endpoint, EndpointConfig, Foundations, Service, router};
use stoa_site::{OwnHost, Site};
use stoa_store::audit::{Act, Audit, Opening};
use stoa_store::on;
use stoa_testing::TestDatabase;
use tower::ServiceExt;

use crate::fixture::{self, Shared};

pub const PUBLIC: &str = "http://localhost:8787";
const EMAIL: &str = "ann@example.com";

pub struct Stand {
    pub test: TestDatabase,
    pub ambient: Ambient,
    pub clock: Arc<ManualClock>,
    pub shared: Arc<Shared>,
    pub audit: Audit,
    pub endpoint: Endpoint,
    pub default: WorkspaceId,
    pub acme: WorkspaceId,
    router: Router,
    /// A token of the mount `things`, with every scope.
    pub token: String,
}

/// What was answered.
#[derive(Debug)]
pub struct Answered {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("JSON: {}", self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("visible ASCII"))
    }

    /// The JSON-RPC error's code.
    pub fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {}", self.text))
    }

    /// The events of a stream, without its signs of life.
    pub fn events(&self) -> Vec<Value> {
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|json| serde_json::from_str(json).expect("JSON in an event")).collect()
    }
}

/// One entry of the audit: tool, status, code, arguments.
pub type Entry = (String, String, Option<String>, Value);

impl Stand {
    pub async fn new() -> Self {
        Self::with(|_| (), |_| vec![]).await
    }

    /// A stand whose configuration and further services the test chooses.
    pub async fn with(
        configure: impl FnOnce(&mut EndpointConfig),
        more: impl FnOnce(&Arc<Shared>) -> Vec<Service>,
    ) -> Self {
        let migrations = [&stoa_store::MIGRATIONS, &stoa_identity::MIGRATIONS, &stoa_mcp::MIGRATIONS];
        let test = stoa_testing::sqlite(&migrations).await;
        let (ambient, clock) = stoa_testing::manual_time();
        let db = test.db.clone();
        let audit = Audit::start(db.clone(), ambient.clone());
        let shared = Shared::new(db.clone(), clock.clone());
        let own = OwnHost {
            host: "things.example.com".to_owned(),
            workspace: WorkspaceName::of_default(),
            service: "things".to_owned(),
        };
        let mut config = EndpointConfig::new(
            Site { public_url: PUBLIC.to_owned(), own_hosts: vec![own] },
            "one".to_owned(),
        );
        configure(&mut config);
        let services = std::iter::once(fixture::service(&shared)).chain(more(&shared)).collect();
        let authenticator = Authenticator::new(db.clone(), ambient.clone());
        let foundations = Foundations {
            db: db.clone(),
            ambient: ambient.clone(),
            authenticator,
            audit: audit.clone(),
            cursors: CursorKey::new([1; 32]),
            request_states: CursorKey::new([2; 32]),
        };
        let endpoint = Endpoint::assemble(config, services, foundations).expect("the assembly");
        let default = workspaces::ensure_default(&db, &ambient).await.expect("the workspace").id;
        let account = accounts::NewAccount { email: email(), password: None };
        accounts::add(&db, &ambient, &act(&audit, default), account).await.expect("the account");
        let acme: WorkspaceName = "acme".parse().expect("a name");
        let acme =
            workspaces::add(&db, &ambient, &act(&audit, default), acme, &email()).await.expect("acme").id;
        let router = router(endpoint.clone());
        let mut stand = Self {
            test,
            ambient,
            clock,
            shared,
            audit,
            endpoint,
            default,
            acme,
            router,
            token: String::new(),
        };
        stand.token = stand.token_for("things", "things:read things:write").await;
        stand
    }

    pub async fn token_for(&self, service: &str, scopes: &str) -> String {
        self.add_token(MountId::new(self.default, service), scopes, None).await.secret.expose().to_owned()
    }

    pub async fn add_token(&self, mount: MountId, scopes: &str, expires_in: Option<Duration>) -> AddedToken {
        let new = NewToken {
            email: email(),
            mount,
            grant: Grant {
                scopes: scopes.parse().expect("scopes"),
                reach: Reach::Everything,
                run_budget: None,
            },
            expires_in,
            label: "test".to_owned(),
        };
        tokens::add(&self.test.db, &self.ambient, &act(&self.audit, self.default), new)
            .await
            .expect("a token")
    }

    /// Revokes a token, as the command line does.
    pub async fn revoke(&self, token: &AddedToken) {
        let place =
            tokens::find(&self.test.db, token.id.uuid()).await.expect("the database").expect("the token");
        let act = act(&self.audit, self.default);
        assert!(tokens::revoke(&self.test.db, &self.ambient, &act, &place).await.expect("the database"));
    }

    pub fn request(&self, method: Method, path: &str) -> Asking<'_> {
        let mut headers = HeaderMap::new();
        headers.insert("host", "localhost:8787".parse().expect("a host"));
        Asking { stand: self, method, path: path.to_owned(), headers, body: String::new() }
    }

    pub fn post(&self, path: &str, body: &Value) -> Asking<'_> {
        let asking = self.request(Method::POST, path).header("content-type", "application/json");
        asking.body(body.to_string()).bearer(&self.token)
    }

    /// A request of the legacy era at `/things/mcp`.
    pub fn legacy(&self, method: &str, params: Value) -> Asking<'_> {
        let mut body = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
        body["params"] = params;
        self.post("/things/mcp", &body)
            .header("mcp-protocol-version", "2025-11-25")
            .header("accept", "application/json, text/event-stream")
    }

    /// A request of the modern era at `/things/mcp`.
    pub fn modern(&self, method: &str, mut params: Value) -> Asking<'_> {
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let name = params["name"].as_str().map(str::to_owned);
        let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
        let asking = self
            .post("/things/mcp", &body)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .header("accept", "application/json, text/event-stream");
        match name {
            Some(name) => asking.header("mcp-name", &name),
            None => asking,
        }
    }

    /// A call in the modern era.
    pub fn call(&self, tool: &str, arguments: Value) -> Asking<'_> {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        self.modern("tools/call", params)
    }

    /// The audit of calls, oldest first, once everything is written.
    pub async fn entries(&self) -> Vec<Entry> {
        self.audit.stop().await;
        let sql = "SELECT tool, status, code, arguments FROM audit_entry WHERE channel = 'mcp' ORDER BY seq";
        let rows: Vec<(String, String, Option<String>, sqlx::types::Json<Value>)> =
            on!(read self.test.db, c => sqlx::query_as(sql).fetch_all(c).await).expect("the audit");
        rows.into_iter().map(|(tool, status, code, arguments)| (tool, status, code, arguments.0)).collect()
    }
}

fn email() -> Email {
    EMAIL.parse().expect("an address")
}

fn act(audit: &Audit, workspace: WorkspaceId) -> Act {
    audit.open(Opening::local(workspace, "test", json!({})))
}

/// A request in the making.
pub struct Asking<'a> {
    stand: &'a Stand,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: String,
}

impl Asking<'_> {
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.parse().expect("a header"));
        self
    }

    /// The same header once more.
    pub fn also(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, value.parse().expect("a header"));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    pub fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        self
    }

    fn built(self) -> (Router, Request<Body>) {
        let mut request = Request::builder().method(self.method).uri(self.path);
        *request.headers_mut().expect("a request") = self.headers;
        let mut request = request.body(Body::from(self.body)).expect("a request");
        let peer: SocketAddr = "203.0.113.9:5000".parse().expect("an address");
        request.extensions_mut().insert(ConnectInfo(peer));
        (self.stand.router.clone(), request)
    }

    /// The response, its body unread.
    pub fn response(self) -> impl Future<Output = Response> + Send + 'static {
        let (router, request) = self.built();
        async move { router.oneshot(request).await.expect("routers don't fail") }
    }

    pub async fn send(self) -> Answered {
        let (parts, body) = self.response().await.into_parts();
        let body = body.collect().await.expect("the body").to_bytes();
        let text = String::from_utf8(body.to_vec()).expect("UTF-8");
        Answered { status: parts.status, headers: parts.headers, text }
    }
}
