//! Reading what differs: many files side by side, each hashed and, where its content is new, analyzed.

use std::collections::HashSet;

use futures::stream::{StreamExt, iter};
use stoa_store::StoreError;
use tokio::sync::mpsc::Sender;

use super::Sync;
use super::compare::{Batch, Candidate, Comparison};
use super::ended::Ended;
use crate::analysis::{Contents, analyze_aside, describe_unread};
use crate::connector::{Locator, ReadError};
use crate::store::catalog::{Analyzed, Content};
use crate::store::thing;

/// Files that are read side by side.
const READS: usize = 8;
/// Contents that are analyzed side by side.
const ANALYSES: usize = 4;

/// A batch, ready to be written.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) files: Vec<PreparedFile>,
    /// The rest of the batch; its files are taken out.
    pub(super) batch: Batch,
}

impl Prepared {
    pub(super) fn writes_nothing(&self) -> bool {
        let marks = self.batch.vanished.len() + self.batch.back.len();
        marks == 0 && self.files.iter().all(|file| file.content.is_err())
    }
}

/// A file, ready to be written.
#[derive(Debug)]
pub(super) struct PreparedFile {
    /// With size and time as of the moment it was read.
    pub(super) candidate: Candidate,
    pub(super) content: Result<Content, ReadError>,
    /// Bytes that were read for it.
    pub(super) bytes: u64,
}

/// What a candidate turned out to be.
enum Taken {
    Unread,
    Read(Box<Contents>),
    Failed(ReadError),
}

impl Sync<'_> {
    /// Prepares batch after batch to the end of the listing.
    pub(super) async fn prepare_batches(
        &self,
        mut comparison: Comparison<'_>,
        sender: Sender<Prepared>,
    ) -> Result<(), Ended> {
        loop {
            let mut batch = comparison.batch().await?;
            let last = batch.end.is_some();
            let files = self.prepare(std::mem::take(&mut batch.files)).await?;
            let heard = sender.send(Prepared { files, batch }).await.is_ok();
            if last || !heard {
                return Ok(());
            }
        }
    }

    pub(super) async fn prepare(&self, candidates: Vec<Candidate>) -> Result<Vec<PreparedFile>, Ended> {
        let reading = candidates.into_iter().map(|candidate| self.take(candidate));
        let taken: Vec<_> = iter(reading).buffered(READS).collect().await;
        let known = self.known(&taken).await?;
        let known = &known;
        let preparing = taken.into_iter().map(|(candidate, taken)| self.finish_file(candidate, taken, known));
        Ok(iter(preparing).buffered(ANALYSES).collect().await)
    }

    async fn take(&self, mut candidate: Candidate) -> (Candidate, Taken) {
        if candidate.is_deferred() {
            return (candidate, Taken::Unread);
        }
        let taken = match self.read(&candidate.file.at).await {
            Ok(contents) => {
                candidate.file.size = contents.size;
                candidate.file.modified_at = contents.modified_at;
                Taken::Read(Box::new(contents))
            }
            Err(problem) => Taken::Failed(problem),
        };
        (candidate, taken)
    }

    pub(super) async fn read(&self, at: &Locator) -> Result<Contents, ReadError> {
        let read = self.connector.read(at).await?;
        Contents::take_in(self.ambient, &at.key, read).await
    }

    /// Which of the contents are catalogued.
    async fn known(&self, taken: &[(Candidate, Taken)]) -> Result<HashSet<Vec<u8>>, StoreError> {
        let hashes = taken.iter().filter_map(|(_, taken)| match taken {
            Taken::Read(contents) => Some(&contents.hash),
            Taken::Unread | Taken::Failed(_) => None,
        });
        let hashes: Vec<_> = hashes.collect();
        Ok(thing::known(self.db, self.resource.workspace, &hashes).await?.into_keys().collect())
    }

    async fn finish_file(
        &self,
        candidate: Candidate,
        taken: Taken,
        known: &HashSet<Vec<u8>>,
    ) -> PreparedFile {
        let file = &candidate.file;
        let (content, bytes) = match taken {
            Taken::Unread => (Ok(Content::Unread(describe_unread(&file.at.key, file.size))), 0),
            Taken::Failed(problem) => (Err(problem), 0),
            Taken::Read(contents) => {
                let bytes = u64::try_from(contents.size).unwrap_or(0);
                let hash = contents.hash;
                let content = if known.contains(&hash[..]) {
                    Ok(Content::Known(hash))
                } else {
                    let analyzed = self.analyze(&file.at.key, *contents).await;
                    analyzed.map(|analyzed| Content::New(hash, Box::new(analyzed)))
                };
                (content, bytes)
            }
        };
        PreparedFile { candidate, content, bytes }
    }

    pub(super) async fn analyze(&self, key: &str, contents: Contents) -> Result<Analyzed, ReadError> {
        let analyzed = analyze_aside(self.ambient, self.documents, key, contents).await;
        analyzed.map_err(|died| ReadError::Unreadable(died.to_string()))
    }
}
