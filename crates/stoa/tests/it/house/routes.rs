//! Every route has its refusal test: a route of a kind that stands in none of these tests fails the first.

use axum::body::Body;
use http::Method;
use serde_json::json;
use stoa_mcp::{RouteKind, routes};
use stoa_testing::on_both;

use crate::support::{App, MIGRATIONS};

/// The route's path, its placeholders filled in.
fn path(pattern: &str) -> String {
    pattern.replace("{workspace}", "other").replace("{*document}", "oauth-protected-resource")
}

on_both! {
    async fn every_route_refuses_whom_it_must(test) with MIGRATIONS; {
        let app = App::on(test).await;
        app.other_workspace().await;
        let anonymous = app.anonymous();
        for (pattern, kind) in routes(&app.services.endpoint) {
            let path = path(&pattern);
            let foreign = anonymous.with("host", "evil.example.com").get(&path).await;
            assert!(foreign.status.is_client_error(), "{path}: foreign Host got {}", foreign.status);
            match kind {
                RouteKind::Mcp => {
                    for method in [Method::GET, Method::HEAD, Method::DELETE, Method::POST] {
                        let answer = anonymous.send(method.clone(), &path, Body::empty()).await;
                        assert_eq!(answer.status, 401, "{method} {path}");
                        let challenge = answer.headers["www-authenticate"].to_str().unwrap();
                        assert!(challenge.contains("resource_metadata="), "{path}: {challenge}");
                    }
                    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
                    let evil = anonymous.with("origin", "https://evil.example.com").post(&path, &ping).await;
                    assert_eq!(evil.status, 403, "{path}: foreign Origin");
                    assert!(evil.headers.get("access-control-allow-origin").is_none());
                }
                RouteKind::WellKnown => {
                    let posted = anonymous.post(&path, &json!({})).await;
                    assert!(posted.status.is_client_error(), "POST {path} got {}", posted.status);
                }
            }
        }
    }
}

on_both! {
    async fn what_is_no_route_is_not_found(test) with MIGRATIONS; {
        let app = App::on(test).await;
        for path in ["/", "/mcp/", "/things", "/rooms/mcp", "/things/mcp/x", "/%2e%2e/mcp"] {
            assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
        }
    }
}
