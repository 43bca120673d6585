//! Calls whose clients go away.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::json;
use stoa_mcp::EndpointConfig;
use tokio::time::timeout;

use crate::fixture::{Slow, crowd};
use crate::stand::{Asking, Stand};

/// How many clients go away at once.
const MANY: usize = 500;
/// Within what a call whose client is gone stops.
const SOON: Duration = Duration::from_secs(1);

async fn crowded() -> (Stand, String) {
    let configure = |config: &mut EndpointConfig| {
        config.flood.burst = NonZeroU32::new(10_000).expect("not zero");
    };
    let stand = Stand::with(configure, |shared| vec![crowd(shared)]).await;
    let token = stand.token_for("crowd", "things:read").await;
    (stand, token)
}

fn wait((stand, token): &(Stand, String)) -> Asking<'_> {
    stand.call("wait", json!({})).path("/crowd/mcp").bearer(token)
}

#[tokio::test]
async fn many_calls_whose_clients_go_away_at_once_stop_and_leave_nothing_behind() {
    let crowd = crowded().await;
    let (stand, _) = &crowd;
    let running: Vec<_> = (0..MANY).map(|_| tokio::spawn(wait(&crowd).response())).collect();
    stand.shared.waiting_becomes(MANY).await;
    running.iter().for_each(tokio::task::JoinHandle::abort);
    timeout(SOON, stand.shared.waiting_becomes(0)).await.expect("all of their work is dropped");
    stand.shared.release.send_replace(true);
    assert_eq!(wait(&crowd).send().await.json()["result"]["structuredContent"], json!({ "waited": true }));
    timeout(SOON, stand.endpoint.drain()).await.expect("nothing is left to wait for");
    let entries = stand.entries().await;
    let ended = |status: &str, code: Option<&str>| {
        entries.iter().filter(|(tool, s, c, _)| tool == "wait" && s == status && c.as_deref() == code).count()
    };
    assert_eq!((ended("error", Some("abandoned")), ended("ok", None), entries.len()), (MANY, 1, MANY + 1));
}

#[tokio::test]
async fn a_call_whose_client_goes_away_stops_within_a_second() {
    let stand = Stand::new().await;
    let running = tokio::spawn(stand.call("slow", json!({})).response());
    stand.shared.slow_becomes(Slow::Waiting).await;
    running.abort();
    timeout(SOON, stand.shared.slow_becomes(Slow::Dropped)).await.expect("its work is dropped");
}
