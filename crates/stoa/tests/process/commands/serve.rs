//! `stoa serve`: what it prints, what it refuses, and how it stops.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use sqlx::query_scalar;
use stoa_store::on;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::catalog::fill;
use crate::support::{Place, free_port, until};

/// Serves until the last line of what it prints has come, and gives all of it.
async fn printed(place: &Place, arguments: &[&str], last: &str) -> String {
    let mut command = place.binary();
    command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut printed = String::new();
    while !printed.ends_with(&format!("\n{last}\n")) {
        printed += &lines.next_line().await.unwrap().expect("more is printed");
        printed.push('\n');
    }
    child.kill().await.unwrap();
    printed
}

#[tokio::test]
async fn it_prints_what_it_serves_and_what_to_type_next() {
    for place in Place::both().await {
        let port = free_port();
        let banner = printed(&place, &["--listen", &format!("127.0.0.1:{port}")], "Ctrl-C stops.").await;
        for told in [
            &format!("http://localhost:{port}/mcp"),
            &format!("http://localhost:{port}/things/mcp"),
            place.data.path().to_str().unwrap(),
            &format!("http://localhost:{port}/setup#stoa_set_"),
            &format!("claude mcp add --transport http stoa http://localhost:{port}/mcp"),
            "connect claude",
        ] {
            assert!(banner.contains(told), "{told}: {banner}");
        }
    }
}

#[tokio::test]
async fn what_it_prints_is_json_when_asked() {
    let place = Place::sqlite();
    place.stoa(&["account", "add", "owner@example.com"]).await;
    let address = format!("127.0.0.1:{}", free_port());
    let banner: Value =
        serde_json::from_str(&printed(&place, &["--json", "--listen", &address], "}").await).unwrap();
    let keys: Vec<&String> = banner.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["version", "public_url", "endpoints", "data", "database", "next"]);
    assert_eq!(banner["endpoints"][0]["url"], format!("{}/mcp", banner["public_url"].as_str().unwrap()));
    let next = banner["next"].to_string();
    assert!(
        next.contains("token add") && !next.contains("/setup#"),
        "who is there is not led to begin again"
    );
}

#[tokio::test]
async fn an_empty_data_folder_gets_the_workspace_default() {
    for place in Place::both().await {
        let server = place.serve().await;
        let without_token = reqwest::Client::new().post(server.url("/things/mcp")).send().await;
        assert_eq!(without_token.unwrap().status(), 401);
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn an_address_for_others_is_refused_while_the_public_url_is_for_this_machine() {
    let place = Place::sqlite();
    for address in ["0.0.0.0:8787", "[::]:8787", "192.0.2.1:8787"] {
        let told = place.refused(1, &["serve", "--listen", "127.0.0.1:8787", "--listen", address]).await;
        assert!(told.starts_with(&format!("stoa: {address} can be reached from other machines")), "{told}");
        assert!(told.contains("http://localhost:8787 is good on this one only"), "{told}");
    }
    assert!(!place.data.path().join("stoa.db").exists(), "nothing was opened");
}

#[tokio::test]
async fn a_taken_port_is_named_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = Place::sqlite().refused(1, &["serve", "--listen", &address]).await;
    assert!(
        told.starts_with(&format!("stoa: {address} can't be listened on (Address already in use")),
        "{told}"
    );
    assert!(told.contains("--listen"), "{told}");
}

#[tokio::test]
async fn a_second_server_on_the_same_data_folder_is_refused() {
    for place in Place::both().await {
        let server = place.serve().await;
        let address = format!("127.0.0.1:{}", free_port());
        let told = place.refused(1, &["serve", "--listen", &address]).await;
        let folder = place.data.path().display();
        assert!(told.starts_with(&format!("stoa: another server uses {folder}: stop it")), "{told}");
        assert!(server.stop().await.success());
        assert!(place.serve().await.stop().await.success(), "it is free again");
    }
}

#[tokio::test]
async fn a_sync_under_way_is_handed_back_at_the_stop() {
    for place in Place::both().await {
        let files = tempfile::tempdir().unwrap();
        // The large files come first, and keep it busy.
        fill(files.path(), 40);
        let resource = place.add_folder("documents", files.path()).await;
        place.stoa(&["things", "sync", &resource]).await;
        let server = place.serve().await;
        until("the sync is running", || async { (status(&place).await == "running").then_some(()) }).await;
        assert!(server.stop().await.success());
        assert_eq!(status(&place).await, "queued");
        assert!(place.log().contains("stopped"), "{}", place.log());

        let server = place.serve().await;
        until("the sync is done", || async { (status(&place).await == "done").then_some(()) }).await;
        assert!(server.stop().await.success());
    }
}

/// The status of the only run.
async fn status(place: &Place) -> String {
    let db = place.database().await;
    let status = on!(read db, c => query_scalar("SELECT status FROM run").fetch_one(c).await).unwrap();
    db.close().await;
    status
}

#[tokio::test]
async fn a_second_signal_does_not_wait() {
    let place = Place::sqlite();
    let token = place.owner_token().await;
    let mut server = place.serve().await;
    // A request that never ends would be waited for.
    let mut request = TcpStream::connect(("127.0.0.1", server.port)).await.unwrap();
    let head = format!(
        "POST /things/mcp HTTP/1.1\r\nhost: localhost:{}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
         content-length: 1000\r\nexpect: 100-continue\r\n\r\n",
        server.port
    );
    request.write_all(head.as_bytes()).await.unwrap();
    let mut awaited = [0; 12];
    request.read_exact(&mut awaited).await.unwrap();
    assert_eq!(&awaited, b"HTTP/1.1 100", "the body is waited for");

    server.terminate().await;
    until("it begins to stop", || async { place.log().contains("stopping").then_some(()) }).await;
    server.terminate().await;
    let ended = tokio::time::timeout(Duration::from_secs(10), server.ended()).await;
    assert!(ended.expect("it does not wait for the request").success());
    assert!(place.log().contains("stopped without waiting"), "{}", place.log());
}
