//! Floods of the authorization servers: what one address may ask, and what many leave behind.

use std::net::Ipv4Addr;
use std::time::Duration;

use axum::body::Body;
use futures::{StreamExt, stream};
use http::{HeaderValue, Method};
use serde_json::{Value, json};
use sqlx::query_scalar;
use stoa_store::on;
use stoa_testing::on_both;

use crate::support::{Anonymous, Answer, App, MIGRATIONS, post};

/// Requests that may come at once from one address (`flood.oauth_per_second`, five seconds' worth).
const AT_ONCE: usize = 100;
/// Programs that nobody connected and that are kept all the same, at most.
const KEPT: i64 = 1_000;

fn program(number: usize) -> Value {
    json!({ "client_name": format!("Program {number}"), "redirect_uris": ["http://127.0.0.1/callback"] })
}

/// Asks each server of an authorization server in turn, and answers how many were not turned away by the limit.
async fn let_through(caller: &Anonymous, times: usize) -> usize {
    let mut through = 0;
    for number in 0..times {
        let answer = match number % 3 {
            0 => caller.post("/things/oauth/register", &json!({})).await,
            1 => caller.send(Method::POST, "/things/oauth/token", Body::empty()).await,
            _ => caller.get("/things/oauth/authorize").await,
        };
        through += usize::from(answer.status != 429);
    }
    through
}

fn refused_in_form(answer: &Answer) -> bool {
    answer.status == 429
        && answer.body["error"] == "temporarily_unavailable"
        && answer.headers["retry-after"] == "1"
        && answer.headers["cache-control"] == "no-store"
}

on_both! {
    async fn one_address_may_ask_so_much_whatever_it_says_of_itself(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let caller = app.anonymous().at("203.0.113.7");
        assert_eq!(let_through(&caller, AT_ONCE + 20).await, AT_ONCE);
        let refused = caller.post("/things/oauth/register", &program(1)).await;
        assert!(refused_in_form(&refused), "{refused:?}");
        let page = caller.get("/things/oauth/authorize").await;
        assert!(page.body.as_str().unwrap().contains("Wait a moment"), "{}", page.body);
        // Nobody trusts what it writes of whom it speaks for.
        let forged = caller.with("x-forwarded-for", "198.51.100.1");
        assert!(refused_in_form(&forged.post("/things/oauth/register", &program(1)).await));
        // What needs no limit has none, and others are not held up.
        assert!(refused_in_form(&caller.get("/things/.well-known/oauth-authorization-server").await));
        assert_eq!(caller.get("/.well-known/oauth-protected-resource/things/mcp").await.status, 200);
        let entered = post(&caller.with("origin", "http://localhost:8787"), "/sign-in", &[]).await;
        assert_eq!((entered.status.as_u16(), &entered.headers["retry-after"]), (429, &HeaderValue::from_static("1")));
        assert!(entered.body.as_str().unwrap().contains("Wait a moment"), "{}", entered.body);
        assert_eq!(caller.get("/sign-in").await.status, 200);
        assert_eq!(app.anonymous().at("203.0.113.8").post("/things/oauth/register", &program(1)).await.status, 201);
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(let_through(&caller, AT_ONCE).await, 20);
    }
}

on_both! {
    async fn behind_a_trusted_proxy_each_client_has_its_own_limit_and_an_ipv6_network_one(test) with MIGRATIONS; {
        let app = App::with(test, &[("STOA_TRUSTED_PROXIES", "10.0.0.0/8")]).await;
        let behind = |client: &str| app.anonymous().at("10.1.2.3").with("x-forwarded-for", client);
        assert_eq!(let_through(&behind("203.0.113.7"), AT_ONCE + 1).await, AT_ONCE);
        assert_eq!(let_through(&behind("203.0.113.8"), 3).await, 3);
        // What the client itself wrote stands before what the proxy saw.
        assert_eq!(let_through(&behind("198.51.100.1, 203.0.113.7"), 3).await, 0);
        assert_eq!(let_through(&behind("2001:db8:1:2::1"), AT_ONCE).await, AT_ONCE);
        assert_eq!(let_through(&behind("2001:db8:1:2:ffff::9"), 3).await, 0);
        assert_eq!(let_through(&behind("2001:db8:1:3::1"), 3).await, 3);
    }
}

async fn count(app: &App) -> i64 {
    on!(read app.house.db, c => query_scalar("SELECT COUNT(*) FROM oauth_client").fetch_one(c).await).unwrap()
}

on_both! {
    /// Several times as many as are kept, from a thousand addresses, so that no single one meets its limit.
    async fn a_flood_of_registrations_leaves_a_small_table_and_a_server_that_answers(test) with MIGRATIONS; {
        let app = App::with(test, &[("STOA_TRUSTED_PROXIES", "10.0.0.0/8")]).await;
        let agent = app.token(app.house.default).await;
        let proxy = app.anonymous().at("10.0.0.1");
        let register = |number: usize| {
            let client = Ipv4Addr::from(0xC633_0000 + u32::try_from(number % 1_000).unwrap()).to_string();
            let caller = proxy.with("x-forwarded-for", &client);
            async move { caller.post("/things/oauth/register", &program(number)).await.status.as_u16() }
        };
        let mut taken = 0;
        for round in 0..5 {
            let numbers = round * 1_000..(round + 1) * 1_000;
            let statuses: Vec<u16> = stream::iter(numbers.map(register)).buffer_unordered(16).collect().await;
            assert!(statuses.iter().all(|status| [201, 429].contains(status)), "{statuses:?}");
            taken += statuses.iter().filter(|status| **status == 201).count();
            // No address asks often enough for its own limit: what is kept of all together is what holds them.
            app.clock.advance(Duration::from_secs(1));
            assert_eq!(agent.status_at("/things/mcp").await, 200);
        }
        assert!(taken > 0);
        let kept = count(&app).await;
        assert!((1..=KEPT).contains(&kept), "{kept} are kept of {taken}");
    }
}

on_both! {
    async fn one_address_has_few_metadata_documents_read(test) with MIGRATIONS; {
        let app = App::with(test, &[("STOA_OAUTH__CIMD", "true")]).await;
        let caller = app.anonymous().at("203.0.113.7");
        let asked = async |number: usize| {
            let path = format!("/things/oauth/authorize?client_id=https://10.0.0.1/{number}");
            caller.get(&path).await.status.as_u16()
        };
        for number in 0..10 {
            assert_eq!(asked(number).await, 400);
        }
        assert_eq!(asked(10).await, 429);
        app.clock.advance(Duration::from_secs(1));
        assert_eq!((asked(11).await, asked(12).await), (400, 429));
    }
}
