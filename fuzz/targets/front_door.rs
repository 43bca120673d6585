//! The front door: a whole request at the endpoint of the real house on SQLite, from its headers to a tool. Headers
//! in lines, an empty line, the body; `Host`, `Content-Type` and `Authorization` are given where the input does not.
//!
//! Whatever comes, the answer is no fault of ours, and it is what it says it is.
#![no_main]

use std::cell::OnceCell;
use std::mem::ManuallyDrop;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request};
use http_body_util::BodyExt;
use libfuzzer_sys::fuzz_target;
use stoa::config::{Config, Environment, Flags};
use stoa::house::House;
use stoa::services::Services;
use stoa_base::Ambient;
use stoa_identity::accounts::NewAccount;
use stoa_identity::tokens::NewToken;
use stoa_identity::{Grant, MountId, Reach, accounts, tokens};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// A limit that no fuzzing reaches.
const NO_LIMIT: &str = "1000000000";
/// How long a stream may be silent before it is left alone.
const PATIENCE: Duration = Duration::from_millis(200);
const OWNER: &str = "owner@example.com";

fuzz_target!(|input: &[u8]| {
    // At the end of the process nothing is dropped: a connection that is in use then needs its runtime.
    thread_local! { static DOOR: OnceCell<ManuallyDrop<Door>> = const { OnceCell::new() } }
    DOOR.with(|door| door.get_or_init(|| ManuallyDrop::new(Door::open())).knock(input));
});

/// An endpoint, and who may use it.
struct Door {
    runtime: Runtime,
    router: Router,
    authorization: HeaderValue,
    _house: House,
    _folder: TempDir,
}

impl Door {
    fn open() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let flags = Flags { data: Some(folder.path().to_owned()), ..Flags::default() };
        let limits = ["FLOOD__PER_SECOND", "THINGS__MCP_LIMIT"]
            .map(|key| (format!("STOA_{key}"), NO_LIMIT.to_owned()));
        let config = Config::load(&flags, &Environment::of(limits.into_iter())).expect("a configuration");
        let (router, token, house) = runtime.block_on(async {
            let house = House::open(&config, &Ambient::system()).await.expect("a house");
            let services = Services::assemble(&house, "fuzz").await.expect("services");
            (stoa_mcp::router(services.endpoint), token(&house).await, house)
        });
        let authorization = format!("Bearer {token}").parse().expect("a header");
        Self { runtime, router, authorization, _house: house, _folder: folder }
    }

    fn knock(&self, input: &[u8]) {
        let (head, body) = split(input);
        let mut request = Request::post("/things/mcp").body(Body::from(body.to_vec())).expect("a request");
        *request.headers_mut() = headers(head);
        let given = request.headers_mut();
        given.entry(HOST).or_insert(HeaderValue::from_static("localhost:8787"));
        given.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        given.entry(AUTHORIZATION).or_insert_with(|| self.authorization.clone());
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("routers don't fail");
            let (parts, body) = response.into_parts();
            let kind = parts.headers.get(CONTENT_TYPE);
            if kind.is_some_and(|kind| kind == "text/event-stream") {
                return listen(body).await;
            }
            let body = body.collect().await.expect("a whole answer").to_bytes();
            assert!(!parts.status.is_server_error(), "{}: {}", parts.status, String::from_utf8_lossy(&body));
            if kind.is_some_and(|kind| kind == "application/json") {
                let answer: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
                // The code of JSON-RPC for a fault of the server's.
                assert_ne!(answer["error"]["code"], -32603, "{answer}");
            }
        });
    }
}

/// Hears the beginning of a stream that may have no end, and hangs up.
async fn listen(mut body: Body) {
    if let Ok(Some(frame)) = tokio::time::timeout(PATIENCE, body.frame()).await {
        frame.expect("streams don't break off");
    }
}

async fn token(house: &House) -> String {
    let act = || house.act(house.default, "fuzz", serde_json::json!({}));
    let owner = NewAccount { email: OWNER.parse().expect("an address"), password: None };
    accounts::add(&house.db, &house.ambient, &act(), owner).await.expect("an owner");
    let scopes = things::SCOPES.iter().map(|scope| scope.name.to_owned()).collect();
    let wanted = NewToken {
        email: OWNER.parse().expect("an address"),
        mount: MountId::new(house.default, things::NAME),
        grant: Grant { scopes, reach: Reach::Everything, run_budget: None },
        expires_in: None,
        label: "fuzz".to_owned(),
    };
    let added = tokens::add(&house.db, &house.ambient, &act(), wanted).await.expect("a token");
    added.secret.expose().to_owned()
}

/// At the first empty line.
fn split(input: &[u8]) -> (&[u8], &[u8]) {
    match input.windows(2).position(|two| two == b"\n\n") {
        Some(end) => (&input[..end], &input[end + 2..]),
        None => (&[], input),
    }
}

/// Those that HTTP takes at all.
fn headers(head: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in head.split(|byte| *byte == b'\n').take(50) {
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let name = HeaderName::from_bytes(name.trim_ascii());
        let value = HeaderValue::from_bytes(value.trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    headers
}
