//! The chainer: the task that links entries as they come.

use std::time::Duration;

use stoa_base::{Ambient, Timestamp};
use tokio_util::sync::CancellationToken;

use super::ChainKey;
use super::checkpoint::checkpoint;
use super::link::{link, unlinked_workspaces};
use crate::{Database, Lease, StoreError};

/// How long an entry may be without a link.
const ROUND: Duration = Duration::from_secs(1);
/// How long another node waits for one that was killed.
const LEASE: Duration = Duration::from_secs(15);
/// What must be left of the lease to go on without renewing it.
const LEFT: Duration = Duration::from_secs(5);
/// How far apart checkpoints are.
const CHECKPOINT_AGE: Duration = Duration::from_mins(1);

/// Links entries and logs checkpoints (tracing target `audit.checkpoint`) until `stop`, on one node at a time.
/// At the stop it links what is left and logs a last checkpoint. Errors are logged and the round tried again.
pub async fn run(db: Database, ambient: Ambient, key: ChainKey, node: String, stop: CancellationToken) {
    let lease = Lease::new("audit-chainer", node, LEASE);
    let mut chainer = Chainer { db, ambient, key, lease, held: None };
    while !stop.is_cancelled() {
        chainer.round(CHECKPOINT_AGE).await;
        stop.run_until_cancelled(tokio::time::sleep(ROUND)).await;
    }
    chainer.round(Duration::ZERO).await;
    chainer.release().await;
}

struct Chainer {
    db: Database,
    ambient: Ambient,
    key: ChainKey,
    lease: Lease,
    held: Option<Timestamp>,
}

impl Chainer {
    async fn round(&mut self, checkpoint_age: Duration) {
        if let Err(error) = self.try_round(checkpoint_age).await {
            tracing::warn!(%error, "audit entries could not be linked; trying again");
        }
    }

    async fn try_round(&mut self, checkpoint_age: Duration) -> Result<(), StoreError> {
        // An idle server looks but writes nothing, so the lease is held only while there is work.
        if !unlinked_workspaces(&self.db).await?.is_empty() && self.hold().await? {
            link(&self.db, &self.key).await?;
        }
        checkpoint(&self.db, &self.ambient, checkpoint_age).await
    }

    /// Whether this node is the one. The lease only saves the others the work: two nodes that both believed to
    /// hold it would still wait for each other in [`link`].
    async fn hold(&mut self) -> Result<bool, StoreError> {
        let soon = self.ambient.now().plus(LEFT);
        if self.held.is_none_or(|until| until <= soon) {
            self.held = self.lease.hold(&self.db, &self.ambient).await?;
        }
        Ok(self.held.is_some())
    }

    async fn release(&self) {
        if self.held.is_none() {
            return;
        }
        if let Err(error) = self.lease.release(&self.db).await {
            tracing::warn!(%error, "the audit chainer's lease lapses by itself");
        }
    }
}
