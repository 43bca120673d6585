//! Syncing a resource: its listing is compared with what is catalogued, what differs is read, and what is no
//! longer there is removed.
//!
//! 1. The listing and the references are merged by key ([`compare`]). What is new or changed is read, hashed
//!    and analyzed ([`prepare`]) while the batch before it is being written ([`write`]), each batch in one
//!    transaction. Large files are only named at first.
//! 2. What was only named is read ([`identify`]): content that is known already brings its thing back.
//! 3. What the listing did not have is removed ([`remove`]).
//!
//! Killed at any moment, a sync begins again with the listing: what is written is then found unchanged.

mod compare;
mod ended;
mod identify;
mod prepare;
mod remove;
mod tally;
mod write;

use std::sync::Arc;

use futures::future::{BoxFuture, try_join};
use serde::Deserialize;
use stoa_base::Ambient;
use stoa_documents::Documents;
use stoa_runs::{Outcome, Running, Work, WorkError};
use stoa_store::{Database, Tx};
use tokio::sync::mpsc;

use self::compare::Comparison;
use self::ended::Ended;
use self::tally::Tally;
use crate::connector::{Connector, ConnectorError};
use crate::model::ResourceId;
use crate::operations::Things;
use crate::store::catalog::Place;
use crate::store::resource::{self, ResourceRow};
use crate::store::turn;
use crate::store::{index, reference};

/// The work `sync`.
#[derive(Debug)]
pub struct SyncWork(pub Things);

/// What a run of this kind is told.
#[derive(Debug, Deserialize)]
struct Payload {
    resource_id: ResourceId,
    /// Whether everything is read again, changed or not.
    #[serde(default)]
    full: bool,
}

impl SyncWork {
    async fn sync(&self, run: &Running) -> Result<Outcome, WorkError> {
        let payload = Payload::deserialize(run.payload())
            .map_err(|error| WorkError::Failed(format!("the run's payload: {error}")))?;
        let resource = resource::by_id(self.0.db(), run.workspace(), payload.resource_id).await?;
        let resource = resource.ok_or_else(|| WorkError::Failed("the resource was removed".to_owned()))?;
        let id = resource.id;
        let ended = match self.0.connectors().open(&resource) {
            Ok(connector) => {
                let sync = Sync {
                    db: self.0.db(),
                    ambient: self.0.ambient(),
                    documents: self.0.documents().as_ref(),
                    run,
                    resource,
                    connector,
                    full: payload.full,
                };
                sync.perform().await
            }
            Err(problem) => Err(problem.into()),
        };
        match ended {
            Ok(()) => Ok(Outcome::Done),
            Err(Ended::Stopped(outcome)) => Ok(outcome),
            Err(Ended::Store(error)) => Err(error.into()),
            Err(Ended::Place(problem)) => self.fail(run, id, &problem).await,
        }
    }

    /// Notes at the resource why it could not be synced.
    async fn fail(
        &self,
        run: &Running,
        resource: ResourceId,
        problem: &ConnectorError,
    ) -> Result<Outcome, WorkError> {
        let mut tx = self.0.db().begin().await?;
        if !run.fence(&mut tx).await? {
            return Ok(Outcome::HandedBack);
        }
        resource::failed(&mut tx, resource, &problem.to_string()).await?;
        tx.commit().await?;
        Err(WorkError::Failed(problem.to_string()))
    }
}

impl Work for SyncWork {
    fn service(&self) -> &'static str {
        crate::NAME
    }

    fn kind(&self) -> &'static str {
        "sync"
    }

    fn perform<'a>(&'a self, run: &'a Running) -> BoxFuture<'a, Result<Outcome, WorkError>> {
        Box::pin(self.sync(run))
    }
}

/// One sync under way.
struct Sync<'a> {
    db: &'a Database,
    ambient: &'a Ambient,
    documents: &'a dyn Documents,
    run: &'a Running,
    resource: ResourceRow,
    connector: Arc<dyn Connector>,
    full: bool,
}

impl Sync<'_> {
    /// Syncs until told to stop: then it ends where it is, in the middle of a file or a transaction, and what
    /// was not committed was not done.
    async fn perform(&self) -> Result<(), Ended> {
        tokio::select! {
            biased;
            outcome = self.run.stop_asked() => Err(Ended::Stopped(outcome)),
            ended = self.steps() => ended,
        }
    }

    async fn steps(&self) -> Result<(), Ended> {
        let mut tally = Tally::new(self.run.checkpoint(), self.resource.sync_counts.as_ref());
        self.forget_old_marks().await?;
        self.catalog(&mut tally).await?;
        self.identify_unread(&mut tally).await?;
        self.remove_vanished(&mut tally).await?;
        self.finish(&tally).await
    }

    async fn forget_old_marks(&self) -> Result<(), Ended> {
        let mut tx = self.begin().await?;
        reference::clear_old_marks(&mut tx, self.resource.id, self.run.id().uuid()).await?;
        Ok(tx.commit().await?)
    }

    /// Reads and analyzes one batch while the one before is written.
    async fn catalog(&self, tally: &mut Tally) -> Result<(), Ended> {
        let (sender, batches) = mpsc::channel(1);
        let full_from = self.full.then(|| tally.written_up_to());
        let comparison = Comparison::new(self, self.connector.list(), full_from);
        try_join(self.prepare_batches(comparison, sender), self.write_batches(batches, tally)).await?;
        Ok(())
    }

    async fn finish(&self, tally: &Tally) -> Result<(), Ended> {
        let mut tx = self.begin().await?;
        let problem = tally.problem();
        let now = self.ambient.now();
        resource::synced(&mut tx, self.resource.id, now, &tally.counts(), problem.as_deref()).await?;
        Ok(tx.commit().await?)
    }

    /// Begins a transaction that only the node which has the run can commit.
    async fn begin(&self) -> Result<Tx, Ended> {
        let mut tx = self.db.begin().await?;
        turn::take(&mut tx, self.resource.workspace).await?;
        if self.run.fence(&mut tx).await? { Ok(tx) } else { Err(Ended::Stopped(Outcome::HandedBack)) }
    }

    /// Saves the tally with what `tx` writes, and commits. Then the index may have to be put in order.
    async fn commit(&self, mut tx: Tx, tally: &Tally) -> Result<(), Ended> {
        if !self.run.save_checkpoint(&mut tx, tally.checkpoint()).await? {
            return Err(Ended::Stopped(Outcome::HandedBack));
        }
        tx.commit().await?;
        index::settle(self.db, self.ambient, self.resource.workspace).await;
        Ok(())
    }

    fn place(&self) -> Place {
        Place { workspace: self.resource.workspace, resource: self.resource.id }
    }
}

#[cfg(test)]
mod tests;
