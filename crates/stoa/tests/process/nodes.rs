//! Two nodes on one PostgreSQL and one bucket: no node's memory matters.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use stoa_store::blob::Blobs;

use crate::catalog::{fill, snapshot};
use crate::support::{Place, until};

#[tokio::test]
async fn a_run_started_at_one_node_is_worked_on_by_either() {
    let first = Place::node().await;
    let files = tempfile::tempdir().unwrap();
    fill(files.path(), 400);
    let token = first.owner_token().await;
    let resource = first.add_folder("documents", files.path()).await;
    let second = first.second_node();

    // The node that takes the call is killed at once; the other one has to do the work.
    let (doomed, other) = (first.serve().await, second.serve().await);
    let queued = doomed.client(&token).call("sync_resource", json!({ "resource_id": resource })).await;
    assert_eq!(queued["status"], "queued");
    doomed.kill().await;

    let client = other.client(&token);
    client.runs_ended().await;
    let runs = client.call("list_runs", json!({})).await;
    assert_eq!(runs["runs"][0]["id"], queued["run_id"]);
    assert_eq!(runs["runs"][0]["status"], "done", "{runs}");
    assert!(snapshot(&first).await.contains("part 00/0.txt"));
    assert!(other.stop().await.success());
}

#[tokio::test]
async fn a_token_revoked_at_one_node_is_refused_at_the_other_within_a_second() {
    let first = Place::node().await;
    let token = first.owner_token().await;
    let second = first.second_node();
    let (one, other) = (first.serve().await, second.serve().await);
    let client = other.client(&token);
    assert_eq!(client.status().await, 200);

    let tokens = first.json(&["token", "list"]).await;
    let id = tokens["tokens"][0]["id"].as_str().expect("the list names the token").to_owned();
    first.stoa(&["token", "revoke", &id]).await;
    tokio::time::timeout(
        Duration::from_secs(1),
        until("the token is refused", || async { (client.status().await == 401).then_some(()) }),
    )
    .await
    .expect("refused within a second");
    assert!(one.stop().await.success());
    assert!(other.stop().await.success());
}

#[tokio::test]
async fn what_one_node_writes_to_the_bucket_the_other_reads() {
    let elsewhere = Place::sqlite();
    elsewhere.stoa(&["account", "add", "owner@example.com"]).await;
    let bytes = Bytes::from("a picture");
    Blobs::folder(&elsewhere.data.path().join("blobs")).unwrap().put("a/b.png", bytes.clone()).await.unwrap();
    let archive = elsewhere.data.path().join("backup.tar.gz");
    elsewhere.stoa(&["backup", "--with-key", "--out", archive.to_str().unwrap()]).await;

    let first = Place::node().await;
    first.stoa(&["restore", archive.to_str().unwrap()]).await;
    let second = first.second_node();
    let (one, other) = (first.serve().await, second.serve().await);
    let copied = second.data.path().join("copy.tar.gz");
    second.stoa(&["backup", "--with-key", "--out", copied.to_str().unwrap()]).await;

    let third = Place::sqlite();
    third.stoa(&["restore", copied.to_str().unwrap()]).await;
    let found = Blobs::folder(&third.data.path().join("blobs")).unwrap().get("a/b.png").await.unwrap();
    assert_eq!(found, Some(bytes));
    for node in [&first, &second] {
        assert!(!node.data.path().join("blobs").exists(), "a node with a bucket keeps no bytes of its own");
        let findings = node.json(&["doctor"]).await;
        let blobs =
            findings["parts"].as_array().unwrap().iter().find(|part| part["part"] == "blobs").unwrap();
        assert_eq!(blobs["state"], "ok", "{blobs}");
    }
    assert!(one.stop().await.success());
    assert!(other.stop().await.success());
}
