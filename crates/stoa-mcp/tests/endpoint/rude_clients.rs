//! Clients as they are, by the row of the project's table of public reports.

use http::Method;
use serde_json::{Value, json};

use crate::stand::Stand;
use crate::streams::legacy_client_goes_away;

#[tokio::test]
async fn row_7_and_23_a_session_id_of_before_the_restart_is_ignored() {
    let stand = Stand::new().await;
    let answered = stand.legacy("tools/list", json!({})).header("mcp-session-id", "long gone").send().await;
    assert_eq!(answered.status, 200);
    assert!(answered.headers.get("mcp-session-id").is_none());
}

#[tokio::test]
async fn row_8_probes_learn_whether_they_are_signed_in() {
    let stand = Stand::new().await;
    for method in [Method::GET, Method::HEAD, Method::DELETE] {
        let probe = || stand.request(method.clone(), "/things/mcp");
        let answered = probe().send().await;
        assert_eq!(answered.status, 401, "{method}");
        assert!(answered.header("www-authenticate").contains("resource_metadata="));
        let answered = probe().bearer(&stand.token).send().await;
        assert_eq!((answered.status.as_u16(), answered.header("allow")), (405, "POST"), "{method}");
    }
}

#[tokio::test]
async fn row_9_and_10_every_listed_schema_is_a_flat_object() {
    let stand = Stand::new().await;
    let listed = stand.legacy("tools/list", json!({})).send().await.json();
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
        let text = schema.to_string();
        for word in ["$schema", "$ref", "anyOf", "oneOf", "allOf", "\"type\":["] {
            assert!(!text.contains(word), "{text}");
        }
        for property in schema["properties"].as_object().into_iter().flat_map(|it| it.values()) {
            assert!(["string", "integer", "boolean", "array"].contains(&property["type"].as_str().unwrap()));
            assert!(property["description"].is_string());
        }
    }
}

#[tokio::test]
async fn row_14_the_work_of_a_client_that_gave_up_goes_on() {
    legacy_client_goes_away(&Stand::new().await).await;
}

async fn document(stand: &Stand, path: &str) -> Value {
    let answered = stand.request(Method::GET, path).send().await;
    assert_eq!(
        (answered.status.as_u16(), answered.header("content-type")),
        (200, "application/json"),
        "{path}"
    );
    answered.json()
}

#[tokio::test]
async fn row_16_and_17_metadata_is_at_the_root_and_at_the_path_and_resource_is_what_people_paste() {
    let stand = Stand::new().await;
    let root = document(&stand, "/.well-known/oauth-protected-resource").await;
    assert_eq!(root, document(&stand, "/.well-known/oauth-protected-resource/mcp").await);
    assert_eq!(root["resource"], "http://localhost:8787/mcp");
    assert_eq!(root["authorization_servers"], json!(["http://localhost:8787"]));
    let things = document(&stand, "/.well-known/oauth-protected-resource/things/mcp").await;
    let expected = json!({
        "resource": "http://localhost:8787/things/mcp",
        "authorization_servers": ["http://localhost:8787/things"],
        "scopes_supported": ["things:read", "things:write"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Things",
    });
    assert_eq!(things, expected);
    let acme = document(&stand, "/.well-known/oauth-protected-resource/w/acme/things/mcp").await;
    assert_eq!(acme["resource"], "http://localhost:8787/w/acme/things/mcp");
}

#[tokio::test]
async fn row_18_other_well_known_paths_are_not_found_in_json() {
    let stand = Stand::new().await;
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/things",
        "/things/.well-known/openid-configuration",
        "/w/acme/things/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/nothing/mcp",
    ] {
        let answered = stand.request(Method::GET, path).send().await;
        assert_eq!(answered.status, 404, "{path}");
        assert_eq!(answered.json()["error"], "not_found");
    }
}

#[tokio::test]
async fn row_19_urls_come_from_the_configuration_and_never_from_the_request() {
    let stand = Stand::new().await;
    let asking = stand
        .request(Method::GET, "/.well-known/oauth-protected-resource/things/mcp")
        .header("host", "127.0.0.1:8787")
        .header("x-forwarded-host", "evil.example.com")
        .header("x-forwarded-proto", "https")
        .header("forwarded", "host=evil.example.com;proto=https");
    assert_eq!(asking.send().await.json()["resource"], "http://localhost:8787/things/mcp");
    let own = stand
        .request(Method::GET, "/.well-known/oauth-protected-resource")
        .header("host", "things.example.com");
    assert_eq!(own.send().await.json()["resource"], "http://things.example.com/mcp");
}

#[tokio::test]
async fn row_20_a_foreign_host_gets_no_metadata_either() {
    let stand = Stand::new().await;
    let asking = stand
        .request(Method::GET, "/.well-known/oauth-protected-resource")
        .header("host", "evil.example.com");
    assert_eq!(asking.send().await.status, 403);
}

#[tokio::test]
async fn row_25_no_notification_is_promised() {
    let stand = Stand::new().await;
    let discovered = stand.modern("server/discover", json!({})).send().await.json();
    assert_eq!(discovered["result"]["capabilities"]["tools"], json!({}));
}

#[tokio::test]
async fn row_27_initialized_is_not_waited_for_and_every_notification_is_accepted() {
    let stand = Stand::new().await;
    assert_eq!(stand.legacy("tools/list", json!({})).send().await.status, 200);
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/anything"] {
        let body = json!({ "jsonrpc": "2.0", "method": method });
        let answered = stand.post("/things/mcp", &body).send().await;
        assert_eq!((answered.status.as_u16(), &*answered.text), (202, ""));
    }
}
