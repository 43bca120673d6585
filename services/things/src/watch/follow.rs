//! Following one folder: after each change, and after any time it could not be heard of, a sync.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use stoa_runs::{EnqueueError, Enqueued, RunId, RunStatus};

use super::ear::{Ear, Listener};
use crate::connector::Connector;
use crate::connector::folder::Watched;
use crate::operations::Things;
use crate::operations::sync_resource::new_sync;
use crate::store::resource::ResourceRow;

/// How often a folder is synced that can't be watched.
const UNWATCHED: Duration = Duration::from_mins(15);
/// How long to wait before the database is asked again.
const AGAIN: Duration = Duration::from_secs(5);

/// One folder and whoever follows it.
pub(super) struct Follower {
    pub(super) things: Things,
    pub(super) resource: ResourceRow,
    pub(super) connector: Arc<dyn Connector>,
    pub(super) watched: Watched,
    pub(super) ear: Ear,
}

impl Follower {
    /// Follows the folder for ever. What happened while nobody listened is caught up with, unless nobody has
    /// ever asked for a sync.
    pub(super) async fn follow(self) {
        let mut due = self.resource.synced_at.is_some();
        let mut said = false;
        loop {
            let listener = self.listen().await;
            if due {
                self.sync().await;
            }
            due = true;
            match listener {
                Ok(listener) => {
                    said = false;
                    while listener.heard().next().await {
                        self.sync().await;
                    }
                }
                Err(problem) => {
                    if !said {
                        tracing::warn!(
                            resource = %self.resource.id, problem,
                            "a folder can't be watched: {problem}; it is synced every 15 minutes instead"
                        );
                    }
                    said = true;
                    tokio::time::sleep(UNWATCHED).await;
                }
            }
        }
    }

    /// Begins to listen, or says why that is impossible.
    async fn listen(&self) -> Result<Listener, String> {
        // A folder of Stoa's own is made by this, if it is missing.
        if let Some(problem) = self.connector.check().await.problem {
            return Err(problem);
        }
        let (ear, watched) = (self.ear.clone(), self.watched.clone());
        match tokio::task::spawn_blocking(move || ear.listen(watched)).await {
            Ok(Ok(listener)) => Ok(listener),
            Ok(Err(problem)) => Err(problem.to_string()),
            Err(died) => Err(died.to_string()),
        }
    }

    /// Sees to it that a sync begins after now.
    async fn sync(&self) {
        loop {
            match self.enqueue().await {
                Ok(Enqueued::New(_)) => return,
                Ok(Enqueued::Live(run)) => {
                    if self.begins_after_now(run).await {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a sync could not be queued; trying again");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    async fn enqueue(&self) -> Result<Enqueued, EnqueueError> {
        let mut tx = self.things.db().begin().await?;
        let run = new_sync(&self.resource, false);
        let queued = stoa_runs::enqueue(&mut tx, self.things.ambient(), &run, None).await?;
        tx.commit().await?;
        Ok(queued)
    }

    /// Whether a live sync has yet to begin. One that is under way may have passed the change: it is waited
    /// for.
    async fn begins_after_now(&self, run: RunId) -> bool {
        let watching = stoa_runs::watch(self.things.db(), self.resource.workspace, run);
        let mut watching = std::pin::pin!(watching);
        let queued = matches!(watching.next().await, Some(Ok(row)) if row.status == RunStatus::Queued);
        while !queued && watching.next().await.is_some() {}
        queued
    }
}
