//! `tools/call`.

use rmcp::model::CallToolResult;
use serde_json::json;

use crate::fixture::LIMIT;
use crate::stand::Stand;

#[tokio::test]
async fn both_eras_answer_with_structured_content_and_the_same_json_as_text() {
    let stand = Stand::new().await;
    let params = json!({ "name": "echo", "arguments": { "text": "hé", "times": 2.0, "secret": null } });
    for asking in [stand.legacy("tools/call", params.clone()), stand.modern("tools/call", params)] {
        let answered = asking.send().await;
        assert_eq!(answered.status, 200);
        let result = &answered.json()["result"];
        assert_eq!(result["structuredContent"], json!({ "text": "héhé" }));
        assert_eq!(result["content"], json!([{ "type": "text", "text": "{\"text\":\"héhé\"}" }]));
        assert!(result.get("isError").is_none());
        serde_json::from_value::<CallToolResult>(result.clone()).expect("rmcp reads it");
    }
}

#[tokio::test]
async fn the_modern_answer_says_that_it_is_complete_and_who_gave_it() {
    let stand = Stand::new().await;
    let result = stand.call("echo", json!({ "text": "a" })).send().await.json()["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "things");
}

#[tokio::test]
async fn a_tool_outside_the_grant_and_one_that_nobody_has_are_told_apart_by_nobody() {
    let stand = Stand::new().await;
    let reader = stand.token_for("things", "things:read").await;
    for name in ["write", "nothing"] {
        let answered = stand.call(name, json!({ "a": 1 })).bearer(&reader).send().await;
        assert_eq!((answered.status.as_u16(), answered.code()), (200, -32602));
        assert_eq!(answered.json()["error"]["message"], format!("Tool not found: {name}"));
    }
    let entries = stand.entries().await;
    let ends: Vec<_> =
        entries.iter().map(|(tool, status, code, _)| (&**tool, &**status, code.as_deref())).collect();
    assert_eq!(
        ends,
        [("write", "denied", Some("Grant::Denied")), ("nothing", "denied", Some("ToolNotFound"))]
    );
}

#[tokio::test]
async fn bad_arguments_are_an_argument_error_that_names_each_problem() {
    let stand = Stand::new().await;
    let answered = stand.call("echo", json!({ "times": 9, "colour": "red" })).send().await;
    assert_eq!(answered.status, 200);
    let result = &answered.json()["result"];
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["error"], "ArgumentError");
    let message = result["structuredContent"]["message"].as_str().unwrap();
    for part in ["`times` must be a whole number from 1 to 3", "there is no `colour`", "`text` is missing"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("ArgumentError: "));
}

#[tokio::test]
async fn what_only_the_tool_finds_wrong_has_the_same_form() {
    let stand = Stand::new().await;
    let result = stand.call("echo", json!({ "text": "tomorrow" })).send().await.json()["result"].clone();
    let expected = json!({ "error": "ArgumentError", "message": "`text` must not be tomorrow." });
    assert_eq!(result["structuredContent"], expected);
}

#[tokio::test]
async fn a_call_of_the_wrong_shape_is_refused_as_such() {
    let stand = Stand::new().await;
    for params in [
        json!({}),
        json!({ "name": 1 }),
        json!({ "name": "echo", "arguments": "x" }),
        json!({ "name": "echo", "arguments": [] }),
    ] {
        let answered = stand.legacy("tools/call", params.clone()).send().await;
        assert_eq!((answered.status.as_u16(), answered.code()), (400, -32602), "{params}");
    }
    for arguments in [json!(null), json!({})] {
        let answered =
            stand.legacy("tools/call", json!({ "name": "missing", "arguments": arguments })).send().await;
        assert_eq!(answered.status, 200);
    }
}

#[tokio::test]
async fn a_refusal_of_the_tool_is_an_error_result() {
    let stand = Stand::new().await;
    let result = stand.call("missing", json!({})).send().await.json()["result"].clone();
    let expected = json!({ "error": "ActiveRecord::RecordNotFound", "message": "There is no such thing." });
    assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &expected));
}

#[tokio::test]
async fn panics_and_faults_are_internal_errors_with_an_incident() {
    let stand = Stand::new().await;
    for tool in ["panic", "panic_early", "broken"] {
        for asking in [stand.call(tool, json!({})), stand.legacy("tools/call", json!({ "name": tool }))] {
            if tool == "broken" {
                stand.clock.advance(std::time::Duration::from_mins(1));
            }
            let answered = asking.send().await;
            assert_eq!((answered.status.as_u16(), answered.code()), (200, -32603), "{tool}");
            let message = answered.json()["error"]["message"].to_string();
            assert!(message.contains("incident"), "{message}");
            assert!(!message.contains("disk") && !message.contains("purpose"), "{message}");
        }
    }
    let entries = stand.entries().await;
    assert_eq!(entries.len(), 6);
    assert!(
        entries.iter().all(|(_, status, code, _)| status == "error" && code.as_deref() == Some("internal"))
    );
}

#[tokio::test]
async fn over_the_limit_a_call_is_refused_with_what_to_do_and_counts_nothing() {
    let stand = Stand::new().await;
    for _ in 0..LIMIT {
        let bad = stand.call("echo", json!({})).send().await;
        assert_eq!(bad.json()["result"]["structuredContent"]["error"], "ArgumentError");
    }
    for _ in 0..LIMIT {
        assert!(
            stand.call("echo", json!({ "text": "a" })).send().await.json()["result"].get("isError").is_none()
        );
    }
    let answered = stand.call("echo", json!({ "text": "a" })).send().await;
    let refused = answered.json()["result"]["structuredContent"].clone();
    assert_eq!((answered.status.as_u16(), &refused["error"]), (200, &json!("OverBudget")));
    assert_eq!((&refused["limit"], &refused["used"]), (&json!(LIMIT), &json!(LIMIT)));
    assert_eq!(refused["resets_at"], "2026-01-01T00:01:00Z");
    assert_eq!(refused["retry_after_ms"], 60_000);
    assert_eq!(stand.modern("tools/list", json!({})).send().await.status, 200);
    let other = stand.token_for("things", "things:read").await;
    let other = stand.call("echo", json!({ "text": "a" })).bearer(&other).send().await;
    assert!(other.json()["result"].get("isError").is_none());
    stand.clock.advance(std::time::Duration::from_mins(1));
    let answered = stand.call("echo", json!({ "text": "a" })).send().await;
    assert!(answered.json()["result"].get("isError").is_none());
    let denied = stand.entries().await.into_iter().filter(|(_, status, ..)| status == "denied");
    assert_eq!(denied.map(|(_, _, code, _)| code.unwrap()).collect::<Vec<_>>(), ["OverBudget"]);
}
