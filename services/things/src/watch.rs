//! Watching folders: a change is followed by a sync, without anybody asking for one.
//!
//! Every folder resource is watched by one node at a time. Where a folder can't be watched (it is missing, or
//! the system's limit of watches is reached) it is synced from time to time instead.

mod changes;
mod follow;

use std::collections::HashMap;
use std::time::Duration;

use stoa_store::{Lease, StoreError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use self::follow::Follower;
use crate::model::ResourceId;
use crate::operations::Things;
use crate::operations::add_resource::RESOURCES;
use crate::store::resource::{self, ResourceRow};

/// How often the resources are looked through, when nobody tells of a new one.
const ROUND: Duration = Duration::from_mins(1);
/// How long another node waits for one that was killed.
const LEASE: Duration = Duration::from_mins(3);

/// Watches every folder resource until `stop`. Errors are logged and the round tried again.
pub async fn run(things: Things, node: String, stop: CancellationToken) {
    let mut bell = things.db().wakeups().subscribe(RESOURCES);
    let mut watch = Watch { things, node, followed: HashMap::new() };
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
    followed: HashMap<ResourceId, AbortOnDropHandle<()>>,
}

impl Watch {
    async fn round(&mut self) -> Result<(), StoreError> {
        let resources = resource::all(self.things.db()).await?;
        self.followed.retain(|id, _| resources.iter().any(|resource| resource.id == *id));
        for resource in resources {
            self.attend(resource).await?;
        }
        Ok(())
    }

    /// Follows a resource that can be watched while this node is the one to do it.
    async fn attend(&mut self, resource: ResourceRow) -> Result<(), StoreError> {
        let Ok(connector) = self.things.connectors().open(&resource) else { return Ok(()) };
        let Some(watched) = connector.watched() else { return Ok(()) };
        let held = self.lease(resource.id).hold(self.things.db(), self.things.ambient()).await?;
        if held.is_none() {
            self.followed.remove(&resource.id);
        } else if !self.followed.contains_key(&resource.id) {
            let id = resource.id;
            let follower = Follower { things: self.things.clone(), resource, connector, watched };
            self.followed.insert(id, AbortOnDropHandle::new(tokio::spawn(follower.follow())));
        }
        Ok(())
    }

    fn lease(&self, resource: ResourceId) -> Lease {
        Lease::new(format!("watch:{resource}"), &self.node, LEASE)
    }

    async fn release(self) {
        for id in self.followed.keys() {
            if let Err(error) = self.lease(*id).release(self.things.db()).await {
                tracing::warn!(%error, resource = %id, "the lease of a watch lapses by itself");
            }
        }
    }
}
