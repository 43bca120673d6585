//! Both eras at one endpoint, their answers read by rmcp's own types.

use rmcp::model::{DiscoverResult, InitializeResult, ListToolsResult};
use serde_json::{Value, json};

use crate::stand::Stand;

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"].as_array().expect("tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn initialize_negotiates_a_legacy_version_and_gives_instructions() {
    let stand = Stand::new().await;
    for (asked, given) in [
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let client = json!({ "name": "Codex", "version": "1" });
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": client });
        let answered = stand.legacy("initialize", params).without("mcp-protocol-version").send().await;
        let result = &answered.json()["result"];
        assert_eq!(result["protocolVersion"], given);
        assert_eq!(result["serverInfo"]["name"], "things");
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert_eq!(result["instructions"], "Call echo first. You call yourself test.");
        assert!(result.get("resultType").is_none());
        serde_json::from_value::<InitializeResult>(result.clone()).expect("rmcp reads it");
    }
}

#[tokio::test]
async fn ping_is_legacy_only() {
    let stand = Stand::new().await;
    let answered = stand.legacy("ping", json!({})).send().await;
    assert_eq!(answered.json(), json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    let answered = stand.modern("ping", json!({})).send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (404, -32601));
}

#[tokio::test]
async fn discover_names_versions_capabilities_and_server() {
    let stand = Stand::new().await;
    let answered = stand.modern("server/discover", json!({})).send().await;
    let result = &answered.json()["result"];
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["cacheScope"], "private");
    assert!(result["ttlMs"].is_u64());
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "things");
    serde_json::from_value::<DiscoverResult>(result.clone()).expect("rmcp reads it");
}

#[tokio::test]
async fn both_eras_list_the_same_tools_and_the_modern_one_says_how_long_to_keep_them() {
    let stand = Stand::new().await;
    let (legacy, modern) = (
        stand.legacy("tools/list", json!({})).send().await,
        stand.modern("tools/list", json!({})).send().await,
    );
    let (legacy, modern) = (legacy.json(), modern.json());
    assert_eq!(legacy["result"]["tools"], modern["result"]["tools"]);
    assert_eq!((&legacy["id"], &modern["id"]), (&json!(1), &json!("a")));
    assert_eq!(modern["result"]["cacheScope"], "private");
    assert_eq!(modern["result"]["resultType"], "complete");
    assert!(legacy["result"].get("ttlMs").is_none());
    for listed in [legacy, modern] {
        serde_json::from_value::<ListToolsResult>(listed["result"].clone()).expect("rmcp reads it");
    }
}

#[tokio::test]
async fn the_list_holds_what_was_granted_in_a_fixed_order() {
    let stand = Stand::new().await;
    let reader = stand.token_for("things", "things:read").await;
    let listed = stand.modern("tools/list", json!({})).bearer(&reader).send().await.json();
    assert_eq!(names(&listed), ["echo", "slow", "progress", "panic", "panic_early", "broken", "missing"]);
    let listed = stand.modern("tools/list", json!({})).send().await.json();
    assert_eq!(names(&listed).last(), Some(&"write"));
    let nothing = stand.token_for("things", "").await;
    let listed = stand.modern("tools/list", json!({})).bearer(&nothing).send().await.json();
    assert!(names(&listed).is_empty());
}

#[tokio::test]
async fn the_mount_of_all_lists_the_tools_of_every_service() {
    let more = |shared: &_| {
        vec![crate::fixture::named(
            "rooms",
            "rooms",
            vec![crate::fixture::tool(shared, "hello", vec![], |_, _| unreachable!())],
        )]
    };
    let stand = Stand::with(|_| (), more).await;
    let token = stand.token_for("all", "things:read").await;
    let listed = stand.modern("tools/list", json!({})).path("/mcp").bearer(&token).send().await.json();
    assert_eq!(names(&listed).first(), Some(&"echo"));
    assert_eq!(names(&listed).last(), Some(&"hello"));
    let discovered =
        stand.modern("server/discover", json!({})).path("/mcp").bearer(&token).send().await.json();
    let result = &discovered["result"];
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "stoa");
    assert_eq!(
        result["instructions"],
        "Call echo first. You call yourself test.\n\nCall echo first. You call yourself test."
    );
}

#[tokio::test]
async fn a_cursor_that_was_never_given_is_refused() {
    let stand = Stand::new().await;
    let answered = stand.modern("tools/list", json!({ "cursor": "x" })).send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (200, -32602));
}

#[tokio::test]
async fn what_capabilities_do_not_promise_is_not_found() {
    let stand = Stand::new().await;
    for method in
        ["initialize", "logging/setLevel", "resources/list", "prompts/list", "subscriptions/listen", "x"]
    {
        let answered = stand.modern(method, json!({})).send().await;
        assert_eq!((answered.status.as_u16(), answered.code()), (404, -32601), "{method}");
        assert_eq!(answered.json()["id"], "a");
    }
    for method in ["logging/setLevel", "resources/list", "prompts/list", "completion/complete"] {
        let answered = stand.legacy(method, json!({})).send().await;
        assert_eq!((answered.status.as_u16(), answered.code()), (200, -32601), "{method}");
    }
}

#[tokio::test]
async fn what_a_modern_request_lacks_is_answered_by_the_table() {
    let stand = Stand::new().await;
    let without_meta = stand.modern("tools/list", json!({}));
    let without_meta = without_meta.body(r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{}}"#);
    let answered = without_meta.send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (400, -32602));
    let answered = stand.modern("tools/list", json!({})).without("mcp-method").send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (400, -32020));
    let answered = stand.call("echo", json!({})).header("mcp-name", "slow").send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (400, -32020));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": meta } });
    let future = stand.modern("tools/list", json!({})).header("mcp-protocol-version", "2099-01-01");
    let answered = future.body(body.to_string()).send().await;
    assert_eq!((answered.status.as_u16(), answered.code()), (400, -32022));
    assert_eq!(answered.json()["error"]["data"]["requested"], "2099-01-01");
    assert_eq!(answered.json()["id"], 7);
    let answered = stand.legacy("ping", json!({})).header("mcp-protocol-version", "1999-01-01").send().await;
    assert_eq!(answered.status, 400);
}

#[tokio::test]
async fn a_request_without_client_info_is_served() {
    let stand = Stand::new().await;
    assert_eq!(stand.modern("tools/list", json!({})).send().await.status, 200);
}
