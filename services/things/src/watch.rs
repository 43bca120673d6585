//! Watching folders: a change is followed by a sync, without anybody asking for one.
//!
//! Every folder resource is watched by one node at a time: which, leases say, each for a share of the resources, so
//! that ten thousand need no more of them than ten. Where a folder can't be watched (it is missing, or
//! the system's limit of watches is reached) it is synced from time to time instead.

mod ear;
mod follow;
mod heard;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use stoa_store::{Lease, StoreError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use self::ear::Ear;
use self::follow::Follower;
use crate::model::ResourceId;
use crate::operations::Things;
use crate::operations::add_resource::RESOURCES;
use crate::store::resource::{self, ResourceRow};

/// How often the resources are looked through, when nobody tells of a new one.
const ROUND: Duration = Duration::from_mins(1);
/// Into how many shares the resources are dealt.
const SHARES: u64 = 16;
/// How long another node waits for one that was killed.
const LEASE: Duration = Duration::from_mins(3);

/// Watches every folder resource until `stop`. Errors are logged and the round tried again.
pub async fn run(things: Things, node: String, stop: CancellationToken) {
    let mut bell = things.db().wakeups().subscribe(RESOURCES);
    let mut watch =
        Watch { things, node, ear: Ear::default(), held: HashSet::new(), followed: HashMap::new() };
    while !stop.is_cancelled() {
        if let Err(error) = watch.round().await {
            tracing::warn!(%error, "resources could not be looked through for watching; trying again");
        }
        tokio::select! {
            Ok(()) = bell.changed() => {}
            () = tokio::time::sleep(ROUND) => {}
            () = stop.cancelled() => {}
        }
    }
    watch.release().await;
}

/// What this node watches.
struct Watch {
    things: Things,
    node: String,
    ear: Ear,
    /// The shares that are this node's.
    held: HashSet<u64>,
    followed: HashMap<ResourceId, AbortOnDropHandle<()>>,
}

impl Watch {
    async fn round(&mut self) -> Result<(), StoreError> {
        let resources = resource::all(self.things.db()).await?;
        let shares: HashSet<u64> = resources.iter().map(|resource| share(resource.id)).collect();
        self.hold(shares).await?;
        let present: HashSet<ResourceId> = resources.iter().map(|resource| resource.id).collect();
        self.followed.retain(|id, _| present.contains(id) && self.held.contains(&share(*id)));
        for resource in resources {
            self.attend(resource);
        }
        Ok(())
    }

    /// Takes or keeps what no other node has.
    async fn hold(&mut self, shares: HashSet<u64>) -> Result<(), StoreError> {
        for share in shares {
            let lease = self.lease(share).hold(self.things.db(), self.things.ambient()).await?;
            if lease.is_some() {
                self.held.insert(share)
            } else {
                self.held.remove(&share)
            };
        }
        Ok(())
    }

    /// Follows a resource that can be watched, where this node is the one to do it.
    fn attend(&mut self, resource: ResourceRow) {
        let id = resource.id;
        if !self.held.contains(&share(id)) || self.followed.contains_key(&id) {
            return;
        }
        let Ok(connector) = self.things.connectors().open(&resource) else { return };
        let Some(watched) = connector.watched() else { return };
        let (things, ear) = (self.things.clone(), self.ear.clone());
        let follower = Follower { things, resource, connector, watched, ear };
        self.followed.insert(id, AbortOnDropHandle::new(tokio::spawn(follower.follow())));
    }

    fn lease(&self, share: u64) -> Lease {
        Lease::new(format!("watch:{share}"), &self.node, LEASE)
    }

    async fn release(self) {
        for share in &self.held {
            if let Err(error) = self.lease(*share).release(self.things.db()).await {
                tracing::warn!(%error, share, "the lease of a watch lapses by itself");
            }
        }
    }
}

/// The share in which a resource is.
fn share(id: ResourceId) -> u64 {
    let (_, random) = id.uuid().as_u64_pair();
    random % SHARES
}
