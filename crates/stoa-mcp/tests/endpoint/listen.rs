//! `subscriptions/listen`: what it tells, and when it ends.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use stoa_identity::MountId;

use crate::beyond::{CHANGED, ROOM, Rooms};
use crate::fixture::LIMIT;
use crate::stand::Stand;

fn wanted() -> Value {
    json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": [ROOM, "stoa:rooms/room/2", "stoa:x/y"] } })
}

/// The next message of a stream; `None` at its end. The end of a test's patience ends the test.
async fn next(body: &mut Body) -> Option<Vec<Value>> {
    loop {
        let frame =
            tokio::time::timeout(Duration::from_secs(10), body.frame()).await.expect("an event in time")?;
        let text = frame.expect("a frame").into_data().expect("data").to_vec();
        let text = String::from_utf8(text).expect("UTF-8");
        let messages: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
        if !messages.is_empty() {
            return Some(
                messages.into_iter().map(|json| serde_json::from_str(json).expect("JSON")).collect(),
            );
        }
    }
}

async fn ring(stand: &Stand) {
    let mut tx = stand.test.db.begin().await.expect("a transaction");
    tx.wake(CHANGED);
    tx.commit().await.expect("the ring");
}

/// An open stream, its acknowledgment read.
async fn open(rooms: &Rooms, token: &str) -> Body {
    let response = rooms.modern("subscriptions/listen", wanted(), &json!({})).bearer(token).response().await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let acknowledged = next(&mut body).await.expect("an acknowledgment").remove(0);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({ "resourceSubscriptions": [ROOM] }));
    assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "a");
    body
}

/// Cancelled, then the result, then nothing.
async fn assert_ends(mut body: Body) {
    let last = next(&mut body).await.expect("an end");
    let [cancelled, result] = last.try_into().expect("two messages");
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("a"))
    );
    assert_eq!((&result["id"], &result["result"]["resultType"]), (&json!("a"), &json!("complete")));
    for message in [&cancelled["params"], &result["result"]] {
        assert_eq!(message["_meta"]["io.modelcontextprotocol/subscriptionId"], "a");
    }
    assert_eq!(next(&mut body).await, None);
}

#[tokio::test]
async fn a_change_is_told_to_who_asked_for_it() {
    let rooms = Rooms::new().await;
    let mut body = open(&rooms, &rooms.token).await;
    ring(&rooms.stand).await;
    let updated = next(&mut body).await.unwrap().remove(0);
    assert_eq!(updated["method"], "notifications/resources/updated");
    let meta = json!({ "io.modelcontextprotocol/subscriptionId": "a" });
    assert_eq!(updated["params"], json!({ "_meta": meta, "uri": ROOM }));
}

#[tokio::test]
async fn the_stream_ends_with_the_token_and_the_node() {
    let rooms = Rooms::new().await;
    let token = rooms.stand.add_token(MountId::new(rooms.stand.default, "rooms"), "things:read", None).await;
    let body = open(&rooms, token.secret.expose()).await;
    rooms.stand.revoke(&token).await;
    assert_ends(body).await;
    let mut body = open(&rooms, &rooms.token).await;
    let endpoint = rooms.stand.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain().await });
    let [cancelled, _result] = next(&mut body).await.unwrap().try_into().unwrap();
    assert_eq!(cancelled["params"]["reason"], "The server is stopping.");
    assert_eq!(next(&mut body).await, None);
    draining.await.unwrap();
}

#[tokio::test]
async fn open_streams_are_bounded_and_free_their_place_when_dropped() {
    let rooms = Rooms::new().await;
    let mut open_ones = Vec::new();
    for place in 0..17 {
        // Each listening counts against the limit of calls, which is not what is tested here.
        rooms.stand.clock.advance(Duration::from_mins(1));
        if place < 16 {
            open_ones.push(open(&rooms, &rooms.token).await);
        }
    }
    let one_more = rooms.modern("subscriptions/listen", wanted(), &json!({})).send().await;
    assert_eq!(
        (one_more.code(), &one_more.json()["error"]["data"]["error"]),
        (-31000, &json!("TooManyStreams"))
    );
    open_ones.pop();
    open_ones.push(open(&rooms, &rooms.token).await);
}

#[tokio::test]
async fn it_needs_a_token_a_stream_and_a_wish_and_is_audited() {
    let rooms = Rooms::new().await;
    let asking = |params: Value| rooms.modern("subscriptions/listen", params, &json!({}));
    assert_eq!(asking(wanted()).without("authorization").send().await.status, 401);
    assert_eq!(asking(wanted()).bearer(&rooms.stand.token).send().await.status, 401);
    assert_eq!(asking(wanted()).header("accept", "application/json").send().await.code(), -32602);
    assert_eq!(asking(json!({})).send().await.code(), -32602);
    let many: Vec<_> = (0..101).map(|n| format!("stoa:rooms/room/{n}")).collect();
    assert_eq!(
        asking(json!({ "notifications": { "resourceSubscriptions": many } })).send().await.code(),
        -32602
    );
    drop(open(&rooms, &rooms.token).await);
    let entries = rooms.stand.entries().await;
    let kept =
        |count: usize, first: Value| json!({ "resource_subscriptions": { "count": count, "first": first } });
    let uris = json!([ROOM, "stoa:rooms/room/2", { "length": 8 }]);
    let rooms = |numbers: [u8; 5]| json!(numbers.map(|n| format!("stoa:rooms/room/{n}")));
    let invalid = Some("InvalidParams".to_owned());
    let expected = [
        ("error", Some("NotAcceptable".to_owned()), kept(3, uris.clone())),
        ("error", invalid.clone(), Value::Null),
        ("error", invalid, kept(101, rooms([0, 1, 10, 100, 11]))),
        ("ok", None, kept(3, uris)),
    ];
    let expected = expected
        .map(|(status, code, kept)| ("subscriptions/listen".to_owned(), status.to_owned(), code, kept));
    assert_eq!(entries, expected);
}

#[tokio::test]
async fn each_stream_counts_against_the_limit_also_one_that_follows_nothing() {
    let rooms = Rooms::new().await;
    for uris in [json!([]), json!(["stoa:x/y"]), json!(["stoa:rooms/room/2"])] {
        rooms.stand.clock.advance(Duration::from_mins(1));
        let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
        let asking = || rooms.modern("subscriptions/listen", wanted.clone(), &json!({}));
        for _ in 0..LIMIT {
            assert_eq!(asking().response().await.headers()["content-type"], "text/event-stream");
        }
        let over = asking().send().await;
        assert_eq!(
            (over.code(), &over.json()["error"]["data"]["error"]),
            (-31000, &json!("OverBudget")),
            "{uris}"
        );
    }
}
