//! `kill -9` at random moments: the catalog ends as that of an undisturbed sync, and the audit holds every
//! write and every denial that was answered.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use stoa_base::Ambient;

use crate::catalog::{fill, snapshot};
use crate::support::{Client, Place, trace_id};

/// How often the server is killed.
const KILLS: usize = 10;
/// Files in the folder: enough that a sync outlives several of its servers.
const FILES: usize = 1_500;

#[tokio::test]
async fn sqlite_loses_nothing_to_kill_9() {
    survive(Place::sqlite(), Place::sqlite()).await;
}

#[tokio::test]
async fn postgres_loses_nothing_to_kill_9() {
    survive(Place::postgres().await, Place::postgres().await).await;
}

async fn survive(disturbed: Place, undisturbed: Place) {
    let files = tempfile::tempdir().unwrap();
    fill(files.path(), FILES);
    let expected = sync_in_peace(&undisturbed, files.path()).await;

    let token = disturbed.owner_token().await;
    let resource = disturbed.add_folder("documents", files.path()).await;
    let mut answered = HashSet::new();
    for _ in 0..KILLS {
        let server = disturbed.serve().await;
        let client = server.client(&token);
        let calls = call_until_killed(client, resource.clone());
        let calls = tokio::spawn(calls);
        tokio::time::sleep(random_moment()).await;
        server.kill().await;
        answered.extend(calls.await.unwrap());
    }
    let server = disturbed.serve().await;
    let client = server.client(&token);
    client.call("sync_resource", json!({ "resource_id": resource })).await;
    client.runs_ended().await;
    assert!(server.stop().await.success());

    assert_eq!(snapshot(&disturbed).await, expected);
    assert!(!answered.is_empty());
    let missing: Vec<_> = answered.difference(&audited(&disturbed).await).cloned().collect();
    assert_eq!(missing, Vec::<String>::new(), "answered, and not in the audit");
    disturbed.stoa(&["audit", "verify"]).await;
}

async fn sync_in_peace(place: &Place, files: &std::path::Path) -> String {
    place.owner_token().await;
    let resource = place.add_folder("documents", files).await;
    place.stoa(&["things", "sync", &resource, "--wait"]).await;
    snapshot(place).await
}

/// Calls that write and calls that are denied, until no answer comes; gives the trace ids of those that were
/// answered.
async fn call_until_killed(client: Client, resource: String) -> Vec<String> {
    let mut answered = Vec::new();
    loop {
        for (tool, arguments) in
            [("sync_resource", json!({ "resource_id": resource })), ("no_such_tool", json!({}))]
        {
            let trace = trace_id();
            match client.try_call(tool, arguments, &trace).await {
                None => return answered,
                Some(answer) => assert!(is_expected(tool, &answer), "{tool}: {answer}"),
            }
            answered.push(trace);
        }
    }
}

fn is_expected(tool: &str, answer: &Value) -> bool {
    let queued = answer["result"]["structuredContent"]["status"] == "queued";
    let denied = answer["error"]["code"] == -32602;
    // More calls than the limit allows are denied too, and audited as such.
    let over = answer["result"]["structuredContent"]["error"] == "OverBudget";
    over || if tool == "sync_resource" { queued } else { denied }
}

/// The trace ids of everything that the audit holds.
async fn audited(place: &Place) -> HashSet<String> {
    let exported = place.stoa(&["audit", "export"]).await;
    let entries = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries.filter_map(|entry| entry["trace_id"].as_str().map(str::to_owned)).collect()
}

/// Between a fifth of a second and more than one: somewhere between the start of a sync and its end.
fn random_moment() -> Duration {
    Duration::from_millis(200 + u64::from(u16::from_be_bytes(Ambient::system().bytes::<2>()) % 1_000))
}
