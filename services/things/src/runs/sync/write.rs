//! Writing a batch: one transaction, which only the node that has the run can commit.

use stoa_base::Timestamp;
use stoa_store::Tx;
use tokio::sync::mpsc::Receiver;

use super::Sync;
use super::compare::{Batch, Candidate};
use super::ended::{Ended, retried};
use super::prepare::{Prepared, PreparedFile};
use super::tally::Tally;
use crate::connector::Locator;
use crate::store::catalog;
use crate::store::reference::{self, NewReference};

/// What a transaction did.
struct Written {
    tally: Tally,
    /// Content that was catalogued when it was read and no longer when it was written.
    again: Vec<Candidate>,
}

impl Sync<'_> {
    /// Writes batch after batch until there is none left.
    pub(super) async fn write_batches(
        &self,
        mut batches: Receiver<Prepared>,
        tally: &mut Tally,
    ) -> Result<(), Ended> {
        while let Some(mut prepared) = batches.recv().await {
            loop {
                let written = self.write(&prepared, tally).await?;
                *tally = written.tally;
                self.run.progress(tally.progress());
                if written.again.is_empty() {
                    break;
                }
                prepared = Prepared { files: self.prepare(written.again).await?, batch: Batch::default() };
            }
        }
        Ok(())
    }

    async fn write(&self, prepared: &Prepared, tally: &Tally) -> Result<Written, Ended> {
        retried(|| Box::pin(self.try_write(prepared, tally.clone()))).await
    }

    async fn try_write(&self, prepared: &Prepared, mut tally: Tally) -> Result<Written, Ended> {
        tally.pass(&prepared.batch);
        if prepared.writes_nothing() {
            prepared.files.iter().for_each(|file| tally.count(file));
            return Ok(Written { tally, again: Vec::new() });
        }
        let mut tx = self.begin().await?;
        self.mark(&mut tx, &prepared.batch).await?;
        let mut again = Vec::new();
        for file in &prepared.files {
            if self.put(&mut tx, file).await? {
                tally.count(file);
            } else {
                again.push(file.candidate.clone());
            }
        }
        self.commit(tx, &tally).await?;
        Ok(Written { tally, again })
    }

    async fn mark(&self, tx: &mut Tx, batch: &Batch) -> Result<(), Ended> {
        for id in &batch.vanished {
            reference::mark_vanished(tx, *id, self.run.id().uuid()).await?;
        }
        for id in &batch.back {
            reference::clear_vanished(tx, *id).await?;
        }
        Ok(())
    }

    /// Writes one file; what could not be read stays as it is. `false`: it has to be read again.
    async fn put(&self, tx: &mut Tx, file: &PreparedFile) -> Result<bool, Ended> {
        let Ok(content) = &file.content else { return Ok(true) };
        let listed = &file.candidate.file;
        let reference = self.reference(&listed.at, listed.size, listed.modified_at);
        Ok(catalog::put(tx, self.ambient, &reference, content).await?)
    }

    pub(super) fn reference<'k>(
        &self,
        at: &'k Locator,
        size: i64,
        modified_at: Timestamp,
    ) -> NewReference<'k> {
        NewReference {
            workspace: self.resource.workspace,
            resource: self.resource.id,
            key: &at.key,
            key_bytes: at.raw.as_deref(),
            size,
            modified_at,
        }
    }
}
