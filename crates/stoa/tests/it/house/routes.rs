//! Every route has its refusal test: a route of a kind that stands in none of these tests fails the first.

use axum::body::Body;
use http::Method;
use serde_json::json;
use stoa_mcp::{RouteKind, routes};
use stoa_testing::on_both;
use stoa_web::{Route, RouteKind as WebRoute};

use crate::pages::signed_in;
use crate::support::{Anonymous, Answer, App, MIGRATIONS};

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
    async fn every_page_and_every_route_of_an_authorization_server_refuses_whom_it_must(test) with MIGRATIONS; {
        let file = test.folder.path().join("stoa.toml");
        let own = "[hosts]\n'own.example.com' = { service = 'things', workspace = 'default' }\n";
        std::fs::write(&file, own).unwrap();
        let app = App::with(test, &[("STOA_CONFIG", file.to_str().unwrap())]).await;
        app.other_workspace().await;
        let anonymous = app.anonymous();
        let (ours, evil) = (("origin", "http://localhost:8787"), ("origin", "https://evil.example.com"));
        let stranger = signed_in(&app).await;
        for Route { path, kind, .. } in stoa_web::routes(&app.services.web) {
            let path = path.replace("{workspace}", "other").replace("{id}", "1").replace("{handle}", "x");
            let path = path.replace("{host}", "own.example.com");
            let foreign = anonymous.with("host", "evil.example.com").get(&path).await;
            assert_eq!(foreign.status, 403, "{path}: foreign Host");
            let post = |caller: &Anonymous| {
                let caller = caller.with("content-type", "application/x-www-form-urlencoded");
                let path = path.clone();
                async move { caller.send(Method::POST, &path, Body::empty()).await }
            };
            let (page, sent) = (anonymous.get(&path).await, post(&anonymous.with(ours.0, ours.1)).await);
            let leads_to_sign_in = |answer: &Answer| {
                answer.status == 303 && answer.headers["location"].to_str().unwrap().starts_with("/sign-in?next=")
            };
            match kind {
                WebRoute::Program => {
                    assert_eq!(page.status, 405, "GET {path}");
                    assert!([400, 401].contains(&sent.status.as_u16()), "{path}: {}", sent.status);
                    assert!(sent.body["error"].is_string(), "{path}");
                    assert_eq!(sent.headers["cache-control"], "no-store", "{path}");
                    continue;
                }
                WebRoute::Open => {}
                WebRoute::Person | WebRoute::Member => {
                    assert!(leads_to_sign_in(&page), "GET {path}: {}", page.status);
                }
                WebRoute::PersonForm | WebRoute::MemberForm => assert_eq!(page.status, 405, "GET {path}"),
            }
            if kind != WebRoute::Open {
                assert!(sent.status == 405 || leads_to_sign_in(&sent), "POST {path}: {}", sent.status);
            }
            // Whoever is signed in and does not belong to the workspace is told the same as where there is none.
            if matches!(kind, WebRoute::Member | WebRoute::MemberForm) {
                let (shown, told) = (stranger.get(&path).await, post(&stranger).await);
                assert!([403, 405].contains(&shown.status.as_u16()), "GET {path}: {}", shown.status);
                assert!([403, 405].contains(&told.status.as_u16()), "POST {path}: {}", told.status);
                assert!(shown.status == 403 || told.status == 403, "{path}");
                let nowhere = stranger.get(&path.replace("/w/other", "/w/nowhere")).await;
                assert_eq!(nowhere.status, shown.status, "{path}");
            }
            // A form of another site's, and one that says nothing of where it comes from.
            let (elsewhere, crossing) = (anonymous.with(evil.0, evil.1), anonymous.with("sec-fetch-site", "cross-site"));
            for other in [elsewhere, crossing, anonymous.clone()] {
                assert_eq!(post(&other).await.status, 403, "POST {path} from elsewhere");
            }
            for (name, value) in [("x-frame-options", "DENY"), ("x-content-type-options", "nosniff")] {
                assert_eq!(page.headers[name], value, "{path}");
            }
            let policy = page.headers["content-security-policy"].to_str().unwrap();
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}");
        }
    }
}

on_both! {
    async fn what_is_no_route_is_not_found(test) with MIGRATIONS; {
        let app = App::on(test).await;
        for path in ["/mcp/", "/things", "/rooms/mcp", "/things/mcp/x", "/%2e%2e/mcp"] {
            assert_eq!(app.anonymous().get(path).await.status, 404, "{path}");
        }
    }
}
