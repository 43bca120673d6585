//! Progress, streams and disconnects.

use std::time::Duration;

use http_body_util::BodyExt;
use serde_json::json;

use crate::fixture::Slow;
use crate::stand::Stand;

fn progress(token: serde_json::Value) -> serde_json::Value {
    let mut params = json!({ "name": "progress", "arguments": {} });
    params["_meta"]["progressToken"] = token;
    params
}

#[tokio::test]
async fn progress_comes_as_a_stream_that_grows_and_ends_with_the_answer() {
    let stand = Stand::new().await;
    for asking in
        [stand.modern("tools/call", progress(json!("p"))), stand.legacy("tools/call", progress(json!("p")))]
    {
        let answered = asking.send().await;
        assert_eq!(answered.header("content-type"), "text/event-stream");
        assert_eq!(
            (answered.header("x-accel-buffering"), answered.header("cache-control")),
            ("no", "no-store")
        );
        let events = answered.events();
        let (answer, notifications) = events.split_last().unwrap();
        let done: Vec<_> =
            notifications.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
        assert_eq!(done, [0.0, 50.0, 100.0]);
        for notification in notifications {
            assert_eq!(notification["method"], "notifications/progress");
            assert_eq!(notification["params"]["progressToken"], "p");
            assert_eq!(notification["params"]["total"], 100.0);
        }
        assert_eq!(answer["result"]["structuredContent"], json!({ "done": true }));
    }
}

#[tokio::test]
async fn without_a_token_or_without_accepting_streams_there_is_one_json_answer() {
    let stand = Stand::new().await;
    let without_token = stand.call("progress", json!({}));
    let without_stream = stand.modern("tools/call", progress(json!(1))).header("accept", "*/*");
    let with_no_token = stand.modern("tools/call", progress(json!({ "no": "token" })));
    for asking in [without_token, without_stream, with_no_token] {
        let answered = asking.send().await;
        assert_eq!(answered.header("content-type"), "application/json");
        assert_eq!(answered.json()["result"]["structuredContent"], json!({ "done": true }));
    }
}

fn quick(config: &mut stoa_mcp::EndpointConfig) {
    config.stream_after = Duration::from_millis(1);
    config.keep_alive = Duration::from_millis(1);
}

#[tokio::test]
async fn a_call_that_takes_long_becomes_a_stream_with_signs_of_life() {
    let stand = Stand::with(quick, |_| vec![]).await;
    let response = stand.call("slow", json!({})).response().await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    for _ in 0..3 {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(&*frame, b":\n\n");
    }
    stand.shared.release.send_replace(true);
    let rest = body.collect().await.unwrap().to_bytes();
    let rest = String::from_utf8(rest.to_vec()).unwrap();
    assert!(rest.contains(r#""structuredContent":{"waited":true}"#), "{rest}");
}

#[tokio::test]
async fn a_call_that_takes_long_stays_json_where_streams_are_not_accepted() {
    let stand = Stand::with(quick, |_| vec![]).await;
    let running = tokio::spawn(stand.call("slow", json!({})).without("accept").response());
    stand.shared.slow_becomes(Slow::Waiting).await;
    stand.shared.release.send_replace(true);
    assert_eq!(running.await.unwrap().headers()["content-type"], "application/json");
}

#[tokio::test]
async fn a_modern_client_that_goes_away_drops_its_call() {
    let stand = Stand::new().await;
    let running = tokio::spawn(stand.call("slow", json!({})).response());
    stand.shared.slow_becomes(Slow::Waiting).await;
    running.abort();
    stand.shared.slow_becomes(Slow::Dropped).await;
    let entries = stand.entries().await;
    assert_eq!((&*entries[0].1, entries[0].2.as_deref()), ("error", Some("abandoned")));
}

#[tokio::test]
async fn a_modern_client_that_leaves_a_stream_drops_its_call() {
    let stand = Stand::with(quick, |_| vec![]).await;
    let response = stand.call("slow", json!({})).response().await;
    stand.shared.slow_becomes(Slow::Waiting).await;
    drop(response);
    stand.shared.slow_becomes(Slow::Dropped).await;
}

/// A legacy client goes away while its call waits: that ends the wait, but not the work.
pub async fn legacy_client_goes_away(stand: &Stand) {
    let running = tokio::spawn(stand.legacy("tools/call", json!({ "name": "slow" })).response());
    stand.shared.slow_becomes(Slow::Waiting).await;
    running.abort();
    stand.shared.slow_becomes(Slow::WaitEnded).await;
    stand.shared.release.send_replace(true);
    stand.shared.slow_becomes(Slow::Done).await;
}

#[tokio::test]
async fn a_legacy_client_that_goes_away_ends_waits_but_not_work() {
    let stand = Stand::new().await;
    legacy_client_goes_away(&stand).await;
    stand.endpoint.drain().await;
    let entries = stand.entries().await;
    assert_eq!((&*entries[0].0, &*entries[0].1), ("slow", "ok"));
}
