//! Floods, and the graceful stop.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::json;

use crate::fixture::Slow;
use crate::stand::Stand;

#[tokio::test]
async fn a_flood_of_one_installation_is_refused_with_a_time_to_wait() {
    let burst = NonZeroU32::new(3).unwrap();
    let configure = |config: &mut stoa_mcp::EndpointConfig| {
        config.flood.burst = burst;
        config.flood.per_second = NonZeroU32::MIN;
    };
    let stand = Stand::with(configure, |_| vec![]).await;
    for _ in 0..3 {
        assert_eq!(stand.legacy("ping", json!({})).send().await.status, 200);
    }
    let answered = stand.legacy("ping", json!({})).send().await;
    assert_eq!((answered.status.as_u16(), answered.header("retry-after")), (429, "1"));
    let other = stand.token_for("things", "things:read").await;
    assert_eq!(stand.legacy("ping", json!({})).bearer(&other).send().await.status, 200);
    stand.clock.advance(Duration::from_secs(1));
    assert_eq!(stand.legacy("ping", json!({})).send().await.status, 200);
}

#[tokio::test]
async fn failed_tokens_of_one_address_are_bounded_and_good_ones_pass() {
    let stand = Stand::new().await;
    let fail = || stand.legacy("ping", json!({})).bearer("nonsense");
    for _ in 0..20 {
        assert_eq!(fail().send().await.status, 401);
    }
    let answered = fail().send().await;
    assert_eq!((answered.status.as_u16(), answered.header("retry-after")), (429, "1"));
    assert_eq!(stand.legacy("ping", json!({})).send().await.status, 200);
    // What an untrusted peer says of its address counts for nothing.
    assert_eq!(fail().header("x-forwarded-for", "1.2.3.4").send().await.status, 429);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_failures_of_its_own() {
    let configure = |config: &mut stoa_mcp::EndpointConfig| {
        config.trusted_proxies = vec!["203.0.113.0/24".parse().unwrap()];
    };
    let stand = Stand::with(configure, |_| vec![]).await;
    let fail =
        |from: &str| stand.legacy("ping", json!({})).bearer("nonsense").header("x-forwarded-for", from);
    for _ in 0..20 {
        assert_eq!(fail("198.51.100.1").send().await.status, 401);
    }
    assert_eq!(fail("198.51.100.1").send().await.status, 429);
    assert_eq!(fail("198.51.100.2").send().await.status, 401);
}

#[tokio::test]
async fn a_stop_ends_waits_awaits_calls_and_refuses_new_ones() {
    let stand = Stand::new().await;
    let running = tokio::spawn(stand.call("slow", json!({})).response());
    stand.shared.slow_becomes(Slow::Waiting).await;
    let endpoint = stand.endpoint.clone();
    let drained = tokio::spawn(async move { endpoint.drain().await });
    stand.shared.slow_becomes(Slow::WaitEnded).await;
    let refused = stand.call("echo", json!({ "text": "a" })).send().await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, "1"));
    assert!(!drained.is_finished());
    stand.shared.release.send_replace(true);
    drained.await.unwrap();
    assert_eq!(running.await.unwrap().status(), 200);
}
