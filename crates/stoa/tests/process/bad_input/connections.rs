//! Connections that say nothing, hang up half-way, or are too many.

use std::time::Duration;

use futures::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::bad_input::Target;
use crate::raw::{answer, connect, honest_head};
use crate::support::until;

/// Connections that say nothing more.
const IDLE: usize = 10_000;
/// What an idle connection may cost, in bytes.
const COST: u64 = 24 * 1024;
/// What may be left soon after all have gone, in bytes: an allocator keeps some.
const LEFT: u64 = 24 * 1024 * 1024;

#[tokio::test]
async fn ten_thousand_idle_connections_leave_room_for_the_next_request() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    let [target, _] = Target::both().await;
    let client = target.server.client(&target.token);
    client.call("list_resources", json!({})).await;
    let before = target.server.state();

    let mut idle = Vec::new();
    while idle.len() < IDLE {
        idle.extend(join_all((0..100).map(|_| answered(target.server.port))).await);
    }
    until("all are open", || async { (target.server.state().files >= before.files + IDLE).then_some(()) })
        .await;
    assert!(client.call("list_resources", json!({})).await["resources"].is_array());
    let each = target.server.memory().saturating_sub(before.memory) / IDLE as u64;
    assert!(each < COST, "{each} bytes for each connection");
    assert!(target.server.state().threads <= before.threads);

    drop(idle);
    until("all are gone", || async { (target.server.state().files < before.files + 10).then_some(()) }).await;
    until("their memory is given back", || async {
        (target.server.memory() < before.memory + LEFT).then_some(())
    })
    .await;
    target.ends_unharmed().await;
}

/// A connection that was answered once, so that it may say nothing for minutes: one that never asked is closed sooner
/// than a slow machine opens all of them.
async fn answered(port: u16) -> TcpStream {
    let mut stream = connect(port).await;
    let head = format!("GET /healthz HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(answer(&mut stream).await.status, 200);
    stream
}

/// A call that waits as long as it is let: a sync of another's folder that is under way.
fn waiting(id: usize) -> Vec<u8> {
    let body = json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": { "name": "list_runs", "arguments": {} },
    });
    body.to_string().into_bytes()
}

#[tokio::test]
async fn half_closed_connections_and_hang_ups_leave_nothing_behind() {
    let [target, _] = Target::both().await;
    let port = target.server.port;
    target.server.client(&target.token).call("list_runs", json!({})).await;
    let before = target.server.state();
    for id in 0..200 {
        let body = waiting(id);
        let mut stream = connect(port).await;
        stream.write_all(honest_head(port, &target.token, body.len()).as_bytes()).await.unwrap();
        stream.write_all(&body).await.unwrap();
        hang_up(stream, id).await;
    }
    until("all are gone", || async {
        let now = target.server.state();
        (now.files <= before.files + 10 && now.threads <= before.threads).then_some(())
    })
    .await;
    target.ends_unharmed().await;
}

/// By turns: closes its half and reads on, closes all, resets.
async fn hang_up(mut stream: TcpStream, turn: usize) {
    match turn % 3 {
        0 => {
            stream.shutdown().await.unwrap();
            // Half-closed counts as gone: there may be an answer or none, but there is an end.
            let answered = answer(&mut stream).await;
            assert!([0, 200].contains(&answered.status), "{answered:?}");
        }
        1 => drop(stream),
        _ => {
            stream.set_zero_linger().unwrap();
            drop(stream);
        }
    }
}

#[tokio::test]
async fn a_connection_that_never_asks_is_closed() {
    let [target, _] = Target::both().await;
    let mut silent = connect(target.server.port).await;
    let mut half = connect(target.server.port).await;
    half.write_all(b"POST /things/mcp HTTP/1.1\r\nHost: loc").await.unwrap();
    for stream in [&mut silent, &mut half] {
        let closed = tokio::time::timeout(Duration::from_secs(45), answer(stream)).await.unwrap();
        assert_eq!(closed.status, 0, "{closed:?}");
    }
    target.ends_unharmed().await;
}
