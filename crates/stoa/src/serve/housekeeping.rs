//! Deleting what is out of date, on one node at a time. `docs/cleanup.md` says what dies when and why.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::{Database, Lease, StoreError};
use tokio_util::sync::CancellationToken;

use crate::services;

/// How often it is looked for.
const ROUND: Duration = Duration::from_hours(1);
/// How long another node waits for one that was killed.
const LEASE: Duration = Duration::from_hours(2);
/// The rest after the start, which has other things to do.
const FIRST: Duration = Duration::from_mins(1);

/// Cleans up once an hour until `stop`. Errors are logged and the round tried again in the next hour.
pub async fn run(db: Database, ambient: Ambient, node: String, stop: CancellationToken) {
    let lease = Lease::new("housekeeping", node, LEASE);
    let mut rest = FIRST;
    while stop.run_until_cancelled(tokio::time::sleep(rest)).await.is_some() {
        rest = ROUND;
        if let Err(error) = round(&db, &ambient, &lease).await {
            tracing::warn!(%error, "what is out of date could not be deleted; trying again in an hour");
        }
    }
    if let Err(error) = lease.release(&db).await {
        tracing::warn!(%error, "the housekeeping's lease lapses by itself");
    }
}

async fn round(db: &Database, ambient: &Ambient, lease: &Lease) -> Result<(), StoreError> {
    if lease.hold(db, ambient).await?.is_some() {
        services::clean_up(db, ambient).await?;
    }
    Ok(())
}
