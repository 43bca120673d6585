//! `stoa things sync`, without a server and beside one.

use serde_json::Value;

use crate::catalog::fill_small;
use crate::support::{Place, until};

/// Files in the folder.
const FILES: usize = 40;

/// A place with a folder of files, and the folder's id.
async fn with_folder(place: &Place) -> (tempfile::TempDir, String) {
    let files = tempfile::tempdir().unwrap();
    fill_small(files.path(), FILES);
    let resource = place.add_folder("documents", files.path()).await;
    (files, resource)
}

/// How many things the word that is in every small text finds.
async fn found(place: &Place) -> u64 {
    place.json(&["things", "search", "topic2"]).await["total"].as_u64().unwrap()
}

#[tokio::test]
async fn without_a_server_waiting_does_the_work() {
    for place in Place::both().await {
        let (_files, resource) = with_folder(&place).await;
        let synced = place.json(&["things", "sync", &resource, "--wait"]).await;
        assert_eq!(synced["status"], "done");
        assert_eq!(synced["done"], FILES);
        assert_eq!(synced["error"], Value::Null);
        assert!(synced["bytes"].as_u64().unwrap() > 0);
        assert!(found(&place).await > 0);
    }
}

#[tokio::test]
async fn beside_a_server_waiting_ends_when_the_run_has() {
    for place in Place::both().await {
        let (_files, resource) = with_folder(&place).await;
        let server = place.serve().await;
        let synced = place.json(&["things", "sync", &resource, "--wait"]).await;
        assert_eq!(synced["status"], "done");
        assert_eq!(synced["done"], FILES);
        assert!(found(&place).await > 0);
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn without_a_server_and_without_waiting_it_says_that_it_is_queued() {
    for place in Place::both().await {
        let (_files, resource) = with_folder(&place).await;
        let printed = place.stoa(&["things", "sync", &resource]).await;
        assert!(printed.starts_with("queued ") && printed.contains("--wait"), "{printed}");
        assert_eq!(found(&place).await, 0);
        let again = place.json(&["things", "sync", &resource]).await;
        assert!(printed.contains(again["run_id"].as_str().unwrap()), "the run that waits is the one");
        assert_eq!(again["status"], "queued");
        // The next server takes it up by itself.
        let server = place.serve().await;
        until("the sync is done", || async { (found(&place).await > 0).then_some(()) }).await;
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn a_server_that_sleeps_is_woken_by_the_command() {
    for place in Place::both().await {
        let server = place.serve().await;
        let (_files, resource) = with_folder(&place).await;
        place.stoa(&["things", "sync", &resource]).await;
        until("the sync is done", || async { (found(&place).await > 0).then_some(()) }).await;
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn a_sync_that_fails_says_why_and_exits_with_1() {
    let place = Place::sqlite();
    let (files, resource) = with_folder(&place).await;
    files.close().unwrap();
    let failed = place.run(&["things", "sync", &resource, "--wait"]).await;
    assert_eq!(failed.status.code(), Some(1));
    let printed = String::from_utf8(failed.stdout).unwrap();
    assert!(printed.starts_with("failed ") && printed.contains("No such file"), "{printed}");
    assert!(String::from_utf8_lossy(&failed.stderr).contains("did not come to its end"));
}

#[tokio::test]
async fn an_unknown_resource_is_refused_and_what_is_no_id_is_a_usage_error() {
    let place = Place::sqlite();
    let unknown = "00000000-0000-7000-8000-000000000000";
    let refusal = place.refused(1, &["things", "sync", unknown, "--wait"]).await;
    assert_eq!(refusal, format!("stoa: there is no resource {unknown} in this workspace"));
    assert!(place.refused(2, &["things", "sync", "documents"]).await.contains("not an id"));
}
