//! What is written down of each call.

use serde_json::{Value, json};
use stoa_store::on;

use crate::beyond::Rooms;
use crate::stand::Stand;

#[tokio::test]
async fn arguments_are_kept_as_they_are_marked() {
    let stand = Stand::new().await;
    let arguments = json!({ "text": "hello", "secret": "hunter2", "pass": "word" });
    stand.call("echo", arguments).send().await;
    let entries = stand.entries().await;
    let kept =
        json!({ "text": "hello", "secret": { "never": true }, "pass": { "unknown": true, "length": 4 } });
    assert_eq!(entries, [("echo".to_owned(), "error".to_owned(), Some("ArgumentError".to_owned()), kept)]);
}

#[tokio::test]
async fn each_call_has_one_entry_also_one_that_commits_its_own() {
    let stand = Stand::new().await;
    stand.call("echo", json!({ "text": "a" })).send().await;
    stand.call("write", json!({})).send().await;
    stand.call("missing", json!({})).send().await;
    let mut ends: Vec<_> =
        stand.entries().await.into_iter().map(|(tool, status, code, _)| (tool, status, code)).collect();
    ends.sort();
    let not_found = Some("ActiveRecord::RecordNotFound".to_owned());
    let expected = [("echo", "ok", None), ("missing", "error", not_found), ("write", "ok", None)];
    assert_eq!(ends, expected.map(|(tool, status, code)| (tool.to_owned(), status.to_owned(), code)));
}

#[tokio::test]
async fn a_call_whose_arguments_are_no_object_is_noted_too() {
    let stand = Stand::new().await;
    stand.call("echo", json!("hunter2")).send().await;
    let expected = ("echo".to_owned(), "error".to_owned(), Some("InvalidParams".to_owned()), Value::Null);
    assert_eq!(stand.entries().await, [expected]);
}

#[tokio::test]
async fn a_denial_is_durable_before_it_is_answered() {
    let stand = Stand::new().await;
    stand.call("nothing", json!({})).send().await;
    let sql = "SELECT COUNT(*) FROM audit_entry WHERE status = 'denied'";
    let count: i64 = on!(read stand.test.db, c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap();
    assert_eq!(count, 1);
}

#[tokio::test]
async fn an_entry_says_who_from_where_and_in_which_trace() {
    let stand = Stand::new().await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let client = json!({ "name": "Codex", "version": "2" });
    let meta = json!({ "io.modelcontextprotocol/clientInfo": client });
    let params = json!({ "name": "echo", "arguments": { "text": "a" }, "_meta": meta });
    let asking =
        stand.modern("tools/call", params).header("traceparent", &format!("00-{trace}-00f067aa0ba902b7-01"));
    asking.send().await;
    stand.audit.stop().await;
    let sql =
        "SELECT scope, credential, client, address_class, trace_id FROM audit_entry WHERE channel = 'mcp'";
    let row: (String, String, String, String, String) =
        on!(read stand.test.db, c => sqlx::query_as(sql).fetch_one(c).await).unwrap();
    let expected = ("things:read", "personal", "Codex/2", "public", trace);
    assert_eq!((&*row.0, &*row.1, &*row.2, &*row.3, &*row.4), expected);
}

#[tokio::test]
async fn the_client_of_an_installation_is_noted_when_it_begins() {
    let stand = Stand::new().await;
    let client = json!({ "name": "Cursor", "version": "3" });
    stand.legacy("initialize", json!({ "protocolVersion": "2025-06-18", "clientInfo": client })).send().await;
    let sql = "SELECT client_name, client_version FROM installation";
    let noted: (String, String) =
        on!(read stand.test.db, c => sqlx::query_as(sql).fetch_one(c).await).unwrap();
    assert_eq!(noted, ("Cursor".to_owned(), "3".to_owned()));
    let meta = json!({ "io.modelcontextprotocol/clientInfo": { "name": "Codex", "version": "4" } });
    stand.modern("server/discover", json!({ "_meta": meta })).send().await;
    let noted: (String, String) =
        on!(read stand.test.db, c => sqlx::query_as(sql).fetch_one(c).await).unwrap();
    assert_eq!(noted, ("Codex".to_owned(), "4".to_owned()));
}

#[tokio::test]
async fn of_a_tool_that_nobody_has_no_argument_is_kept() {
    let stand = Stand::new().await;
    stand.call("nothing", json!({ "password": "hunter2" })).send().await;
    let entries = stand.entries().await;
    assert_eq!(entries[0].3, json!({ "password": { "unknown": true, "length": 7 } }));
    assert!(!Value::to_string(&entries[0].3).contains("hunter2"));
}

#[tokio::test]
async fn what_can_not_be_read_is_noted_too() {
    let rooms = Rooms::new().await;
    let completion = json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": 7 });
    let asked = [
        ("tools/call", json!({ "name": 7 }), json!({})),
        ("prompts/get", json!({ "name": 7 }), json!({ "name": null, "arguments": {} })),
        (
            "prompts/get",
            json!({ "name": "greet", "arguments": "hunter2" }),
            json!({ "name": "greet", "arguments": null }),
        ),
        ("resources/read", json!({ "uri": 7 }), json!({ "uri": null })),
        ("resources/list", json!({ "cursor": "nonsense" }), json!({})),
        ("completion/complete", completion, json!({ "argument": null, "value": { "length": null } })),
        ("completion/complete", json!({}), json!({ "argument": null, "value": { "length": null } })),
    ];
    let mut expected = Vec::new();
    for (method, params, kept) in asked {
        let refused = rooms.modern(method, params, &json!({})).send().await;
        assert_eq!(refused.code(), -32602, "{method}: {}", refused.text);
        expected.push((method.to_owned(), "error".to_owned(), Some("InvalidParams".to_owned()), kept));
    }
    assert_eq!(rooms.stand.entries().await, expected);
}
