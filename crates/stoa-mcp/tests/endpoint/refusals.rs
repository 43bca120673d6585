//! What gets no further than the gates.

use std::time::Duration;

use http::Method;
use serde_json::json;
use stoa_identity::MountId;

use crate::stand::{Answered, Stand};

const CHALLENGE: &str = "Bearer resource_metadata=\"http://localhost:8787/.well-known/oauth-protected-resource/things/mcp\", \
     scope=\"things:read things:write\"";

fn assert_invalid_token(answered: &Answered) {
    assert_eq!(answered.status, 401, "{}", answered.text);
    let expected = CHALLENGE.replace("Bearer ", "Bearer error=\"invalid_token\", ");
    assert_eq!(answered.header("www-authenticate"), expected);
    assert_eq!(answered.json()["error"], "invalid_token");
}

#[tokio::test]
async fn no_token_is_challenged_and_told_what_to_do() {
    let stand = Stand::new().await;
    for asking in [
        stand.legacy("ping", json!({})).without("authorization"),
        stand.legacy("ping", json!({})).header("authorization", "Basic YTpi"),
        stand.legacy("ping", json!({})).header("authorization", "Bearer "),
    ] {
        let answered = asking.send().await;
        assert_eq!((answered.status.as_u16(), answered.header("www-authenticate")), (401, CHALLENGE));
        assert_eq!(answered.json()["error"], "unauthorized");
        let message = answered.json()["message"].to_string();
        assert!(message.contains("stoa token add --account EMAIL --mount things"), "{message}");
    }
}

#[tokio::test]
async fn malformed_and_unknown_tokens_are_refused_alike() {
    let stand = Stand::new().await;
    let (other, _clock) = stoa_testing::manual_time();
    let unknown = stoa_identity::SecretToken::personal(&other);
    for token in ["nonsense", unknown.expose()] {
        assert_invalid_token(&stand.legacy("ping", json!({})).bearer(token).send().await);
    }
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let stand = Stand::new().await;
    let mount = MountId::new(stand.default, "things");
    let token = stand.add_token(mount, "things:read", Some(Duration::from_mins(1))).await;
    let ping = || stand.legacy("ping", json!({})).bearer(token.secret.expose());
    assert_eq!(ping().send().await.status, 200);
    stand.clock.advance(Duration::from_secs(61));
    assert_invalid_token(&ping().send().await);
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_the_next_request() {
    let stand = Stand::new().await;
    let token = stand.add_token(MountId::new(stand.default, "things"), "things:read", None).await;
    let ping = || stand.legacy("ping", json!({})).bearer(token.secret.expose());
    assert_eq!(ping().send().await.status, 200);
    stand.revoke(&token).await;
    assert_invalid_token(&ping().send().await);
}

#[tokio::test]
async fn a_token_of_another_mount_or_workspace_is_refused() {
    let stand = Stand::new().await;
    let all = stand.token_for("all", "things:read").await;
    assert_invalid_token(&stand.legacy("ping", json!({})).bearer(&all).send().await);
    let acme = stand.add_token(MountId::new(stand.acme, "things"), "things:read", None).await;
    assert_invalid_token(&stand.legacy("ping", json!({})).bearer(acme.secret.expose()).send().await);
    let at_acme = stand.legacy("ping", json!({})).path("/w/acme/things/mcp").bearer(acme.secret.expose());
    assert_eq!(at_acme.send().await.status, 200);
    assert_eq!(stand.legacy("ping", json!({})).path("/mcp").bearer(&all).send().await.status, 200);
}

#[tokio::test]
async fn an_unknown_workspace_answers_as_a_foreign_one() {
    let stand = Stand::new().await;
    let at = |workspace: &str| stand.legacy("ping", json!({})).path(&format!("/w/{workspace}/things/mcp"));
    let (foreign, unknown) = (at("acme").send().await, at("nobody").send().await);
    assert_eq!((foreign.status, foreign.text), (unknown.status, unknown.text));
}

#[tokio::test]
async fn only_the_authorization_header_carries_a_token() {
    let stand = Stand::new().await;
    let path = format!("/things/mcp?access_token={}", stand.token);
    let asking = stand.legacy("ping", json!({})).without("authorization").path(&path);
    assert_eq!(asking.send().await.status, 401);
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused_before_the_token_is_looked_at() {
    let stand = Stand::new().await;
    let ping = || stand.legacy("ping", json!({}));
    let answered = ping().header("host", "evil.example.com").send().await;
    assert_eq!((answered.status.as_u16(), answered.json()["error"].clone()), (403, json!("foreign_host")));
    let answered = ping().header("origin", "http://evil.example.com").without("authorization").send().await;
    assert_eq!((answered.status.as_u16(), answered.json()["error"].clone()), (403, json!("foreign_origin")));
    assert_eq!(ping().without("host").send().await.status, 403);
    for (host, origin) in [("localhost:8787", "http://127.0.0.1:8787"), ("[::1]:8787", "http://[::1]:8787")] {
        assert_eq!(ping().header("host", host).header("origin", origin).send().await.status, 200);
    }
}

#[tokio::test]
async fn an_own_host_serves_its_mount_at_its_root() {
    let stand = Stand::new().await;
    let ping = |path: &str| stand.legacy("ping", json!({})).header("host", "things.example.com").path(path);
    assert_eq!(ping("/mcp").send().await.status, 200);
    assert_eq!(ping("/things/mcp").send().await.status, 404);
}

#[tokio::test]
async fn headers_that_may_come_once_may_not_come_twice() {
    let stand = Stand::new().await;
    for (name, value) in [
        ("host", "localhost:8787"),
        ("origin", PUBLIC_ORIGIN),
        ("authorization", "Bearer other"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2025-11-25"),
    ] {
        let asking = stand.legacy("ping", json!({})).header("origin", PUBLIC_ORIGIN).also(name, value);
        assert_eq!(asking.send().await.status, 400, "{name}");
    }
}

const PUBLIC_ORIGIN: &str = "http://localhost:8787";

#[tokio::test]
async fn bodies_must_be_json_and_bounded() {
    let stand = Stand::new().await;
    let ping = || stand.legacy("ping", json!({}));
    assert_eq!(ping().header("content-type", "text/plain").send().await.status, 415);
    assert_eq!(ping().without("content-type").send().await.json()["error"], "unsupported_media_type");
    assert_eq!(ping().header("content-type", "Application/JSON; charset=utf-8").send().await.status, 200);
    let large = stand.legacy("ping", json!({})).body(" ".repeat(4 * 1024 * 1024 + 1));
    assert_eq!(large.send().await.status, 413);
    let broken = ping().body("{").send().await;
    assert_eq!((broken.status.as_u16(), broken.code()), (400, -32700));
    assert!(broken.json()["id"].is_null());
    let batch = ping().body(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).send().await;
    assert_eq!((batch.status.as_u16(), batch.code()), (400, -32600));
}

#[tokio::test]
async fn other_methods_are_not_allowed_and_there_is_no_cors() {
    let stand = Stand::new().await;
    for method in [Method::OPTIONS, Method::PUT, Method::PATCH] {
        let answered = stand.request(method, "/things/mcp").header("origin", PUBLIC_ORIGIN).send().await;
        assert_eq!((answered.status.as_u16(), answered.header("allow")), (405, "POST"));
        assert!(answered.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
    }
}
