//! Writing a batch: one transaction, which only the node that has the run can commit.

use stoa_store::Tx;
use tokio::sync::mpsc::Receiver;

use super::Sync;
use super::compare::{Batch, Candidate};
use super::ended::{Ended, retried};
use super::prepare::{Prepared, PreparedFile};
use super::tally::Tally;
use crate::store::catalog::{self, Put};
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
        let puts: Vec<Put<'_>> = prepared.files.iter().filter_map(put).collect();
        let mut written = catalog::put(&mut tx, self.ambient, self.place(), &puts).await?.into_iter();
        for file in &prepared.files {
            if file.content.is_err() || written.next() == Some(true) {
                tally.count(file);
            } else {
                again.push(file.candidate.clone());
            }
        }
        self.commit(tx, &tally).await?;
        Ok(Written { tally, again })
    }

    async fn mark(&self, tx: &mut Tx, batch: &Batch) -> Result<(), Ended> {
        reference::mark_vanished(tx, &batch.vanished, self.run.id().uuid()).await?;
        reference::clear_vanished(tx, &batch.back).await?;
        Ok(())
    }
}

/// What is to be written of a file; what could not be read stays as it is.
fn put(file: &PreparedFile) -> Option<Put<'_>> {
    let Candidate { file: listed, .. } = &file.candidate;
    let reference = NewReference {
        key: &listed.at.key,
        key_bytes: listed.at.raw.as_deref(),
        size: listed.size,
        modified_at: listed.modified_at,
    };
    Some(Put { reference, content: file.content.as_ref().ok()? })
}
