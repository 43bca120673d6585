//! Writing a batch: one transaction, which only the node that has the run can commit.

use std::collections::VecDeque;

use futures::StreamExt;
use stoa_store::Tx;
use tokio::sync::mpsc::Receiver;

use super::Sync;
use super::compare::{Batch, Candidate};
use super::ended::Ended;
use super::prepare::{Prepared, PreparedFile};
use super::tally::Tally;
use crate::store::catalog::{self, Content, Put};
use crate::store::reference::{self, NewReference};
use crate::store::thing;

impl Sync<'_> {
    /// Writes batch after batch until there is none left.
    pub(super) async fn write_batches(
        &self,
        mut batches: Receiver<Prepared>,
        tally: &mut Tally,
    ) -> Result<(), Ended> {
        while let Some(prepared) = batches.recv().await {
            let mut again = VecDeque::from(self.write(prepared, tally).await?);
            // That there are any is rare: they are read one by one, so that no more than one text is held.
            while let Some(candidate) = again.pop_front() {
                let files = self.prepare(vec![candidate]).await?.collect().await;
                again.extend(self.write(Prepared { files, batch: Batch::default() }, tally).await?);
            }
        }
        Ok(())
    }

    /// Writes a part of a batch; answers what has to be read again: its content was catalogued when it was read
    /// and no longer when it was written.
    async fn write(&self, prepared: Prepared, tally: &mut Tally) -> Result<Vec<Candidate>, Ended> {
        tally.pass(&prepared.batch);
        let again = if prepared.writes_nothing() {
            prepared.files.iter().for_each(|file| tally.count(file));
            Vec::new()
        } else {
            self.write_files(&prepared, tally).await?
        };
        self.run.progress(tally.progress());
        Ok(again)
    }

    async fn write_files(&self, prepared: &Prepared, tally: &mut Tally) -> Result<Vec<Candidate>, Ended> {
        let mut tx = self.begin().await?;
        self.mark(&mut tx, &prepared.batch).await?;
        self.redo(&mut tx, &prepared.files).await?;
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
        self.commit(tx, tally).await?;
        Ok(again)
    }

    /// Mends failed analyses of things that still have the content.
    async fn redo(&self, tx: &mut Tx, files: &[PreparedFile]) -> Result<(), Ended> {
        for file in files {
            let (Some(seq), Ok(Content::New(hash, analyzed))) = (file.redone, &file.content) else {
                continue;
            };
            let things = thing::by_contents(tx, self.resource.workspace, &[hash]).await?;
            if things.get(&hash[..]) == Some(&seq) {
                catalog::analyze_again(tx, self.resource.workspace, seq, analyzed).await?;
            }
        }
        Ok(())
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
