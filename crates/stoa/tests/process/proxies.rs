//! Real proxies before the real binary, with the configurations that `docs/operating.md` shows.

mod caddy;
mod nginx;

use std::net::IpAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use reqwest::header::HOST;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Response};
use serde_json::{Value, json};
use sqlx::query_scalar;
use stoa_store::on;
use tokio::process::{Child, Command};

use crate::setup::make_owner;
use crate::support::{Place, Server, trace_id, until};

/// How long the first event of a stream may take; by itself it comes after 5 s.
const PATIENCE: Duration = Duration::from_secs(20);
/// An address of the documentation's, in no private network.
const ELSEWHERE: &str = "203.0.113.9";

/// A configuration as it is shown, with other words where a test must have them. Each must stand there.
fn shown(text: &str, replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in the configuration");
        text.replace(from, to)
    })
}

/// Starts a proxy, with nothing but its own folder to write to.
fn start(program: &str, arguments: &[&str], folder: &Path) -> Child {
    let log = std::fs::File::create(folder.join("log")).unwrap();
    Command::new(program)
        .args(arguments)
        .kill_on_drop(true)
        .env_clear()
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}; scripts/prepare.sh installs it"))
}

/// A client that trusts this certificate and no other.
fn trusting(pem: &[u8]) -> ClientBuilder {
    Client::builder().tls_certs_only([Certificate::from_pem(pem).unwrap()]).redirect(Policy::none())
}

/// A Stoa behind a proxy on this machine, reached at the proxy's port.
fn behind(place: &Place, port: u16, proxy_port: u16) -> Server {
    let mut binary = place.binary();
    binary.env("STOA_TRUSTED_PROXIES", "127.0.0.1");
    place.spawn(binary, port, format!("https://localhost:{proxy_port}"))
}

/// What people and agents do through any proxy; gives the agent's token.
async fn is_of_use(place: &Place, server: &Server, http: &Client) -> String {
    server.ready(http).await;
    make_owner(place, server, http).await;
    let token = place.token(&["--mount", "things"]).await;
    let runs = server.client_over(http.clone(), &token).call("list_runs", json!({})).await;
    assert_eq!(runs["runs"], json!([]));
    first_event_comes_at_once(place, server, http, &token).await;
    token
}

/// A call that can't end, since the test holds the database's only pen, becomes a stream. Whoever buffers it does not
/// pass on its first event before the end.
async fn first_event_comes_at_once(place: &Place, server: &Server, http: &Client, token: &str) {
    let files = tempfile::tempdir().unwrap();
    let resource = place.add_folder("documents", files.path()).await;
    let db = place.database().await;
    let pen = db.begin().await.unwrap();
    let call = json!({ "name": "sync_resource", "arguments": { "resource_id": resource } });
    let sent = http
        .post(server.url("/things/mcp"))
        .bearer_auth(token)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call }))
        .send();
    let first = async {
        let mut stream = sent.await.unwrap();
        assert_eq!(stream.headers()["content-type"], "text/event-stream");
        let first = stream.chunk().await.unwrap().expect("the stream goes on");
        (first, stream)
    };
    let (first, stream) = tokio::time::timeout(PATIENCE, first).await.expect("the call goes on");
    assert_eq!(&first[..], b":\n\n", "a sign of life");
    drop(pen);
    let rest = stream.text().await.unwrap();
    assert!(rest.contains("run_id"), "{rest}");
    db.close().await;
}

/// How a request is answered that comes by the right way and asks for another host.
async fn foreign_host(server: &Server, http: ClientBuilder) -> Response {
    // In HTTP/2 the host is that of the URL.
    let http = http.http1_only().build().unwrap();
    http.get(server.url("/sign-in")).header(HOST, "evil.example").send().await.unwrap()
}

/// The class of address that the audit keeps of a call which this client makes, and which says that it comes from
/// elsewhere.
async fn class_of(place: &Place, server: &Server, http: ClientBuilder, token: &str, from: IpAddr) -> String {
    let forwarded = [("x-forwarded-for".parse().unwrap(), ELSEWHERE.parse().unwrap())];
    let http = http.local_address(from).default_headers(forwarded.into_iter().collect()).build().unwrap();
    let trace = trace_id();
    let answer: Option<Value> =
        server.client_over(http, token).try_call("list_runs", json!({}), &trace).await;
    assert!(answer.unwrap()["result"].is_object());
    until("the call is in the audit", || async {
        let db = place.database().await;
        let sql = "SELECT address_class FROM audit_entry WHERE trace_id = $1";
        let class = on!(read db, c => query_scalar::<_, String>(sql).bind(&trace).fetch_optional(c).await);
        db.close().await;
        class.unwrap()
    })
    .await
}
