//! Reading what differs: many files side by side, each hashed and, where its content is new, analyzed.

use std::collections::HashMap;

use futures::stream::{BoxStream, StreamExt, iter};
use stoa_store::StoreError;
use tokio::sync::mpsc::Sender;

use super::Sync;
use super::compare::{Batch, Candidate, Comparison, Status};
use super::ended::Ended;
use crate::analysis::{Contents, analyze_aside, describe_unread};
use crate::connector::{Locator, ReadError};
use crate::store::catalog::{Analyzed, Content};
use crate::store::step::{self, Step};
use crate::store::thing;

/// Files that are read side by side.
const READS: usize = 8;
/// Contents that are analyzed side by side.
const ANALYSES: usize = 4;

/// What a part of a batch holds of texts and their words, in bytes: it ends with the file that reaches them.
/// What a file says has nothing to do with its size, so that the bytes of a batch don't bound this.
const HELD: usize = 16 * 1024 * 1024;

/// A part of a batch, ready to be written.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) files: Vec<PreparedFile>,
    /// With the last part: the rest of the batch, its files being taken out.
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
    /// The thing whose analysis failed before and went well now: `content` has the new one.
    pub(super) redone: Option<i64>,
    /// Bytes that were read for it.
    pub(super) bytes: u64,
}

impl PreparedFile {
    /// The bytes of its text and of what the index learns of it.
    fn held(&self) -> usize {
        let Ok(Content::New(_, analyzed)) = &self.content else { return 0 };
        let words = analyzed.units.iter().map(|unit| unit.title.len() + unit.chief.len() + unit.body.len());
        analyzed.text.as_ref().map_or(0, String::len) + words.sum::<usize>()
    }
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
            let batch = comparison.batch().await?;
            let last = batch.end.is_some();
            let heard = self.prepare_batch(batch, &sender).await?;
            if last || !heard {
                return Ok(());
            }
        }
    }

    /// Sends a batch in as many parts as it takes; says whether somebody hears.
    async fn prepare_batch(&self, mut batch: Batch, sender: &Sender<Prepared>) -> Result<bool, Ended> {
        let mut preparing = self.prepare(std::mem::take(&mut batch.files)).await?;
        let (mut files, mut held) = (Vec::new(), 0);
        while let Some(file) = preparing.next().await {
            held += file.held();
            files.push(file);
            if held >= HELD {
                let part = Prepared { files: std::mem::take(&mut files), batch: Batch::default() };
                held = 0;
                if sender.send(part).await.is_err() {
                    return Ok(false);
                }
            }
        }
        Ok(sender.send(Prepared { files, batch }).await.is_ok())
    }

    /// Reads the files, and analyzes them as they are asked for: a few that nobody took yet are all that is
    /// held of texts.
    pub(super) async fn prepare(
        &self,
        candidates: Vec<Candidate>,
    ) -> Result<BoxStream<'_, PreparedFile>, Ended> {
        let reading = candidates.into_iter().map(|candidate| self.take(candidate));
        let taken: Vec<_> = iter(reading).buffered(READS).collect().await;
        let known = self.known(&taken).await?;
        let preparing = taken.into_iter().map(move |(candidate, taken)| {
            let seq = match &taken {
                Taken::Read(contents) => known.get(&contents.hash[..]).copied(),
                Taken::Unread | Taken::Failed(_) => None,
            };
            self.finish_file(candidate, taken, seq)
        });
        Ok(iter(preparing).buffered(ANALYSES).boxed())
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

    /// The things of those contents that are catalogued.
    async fn known(&self, taken: &[(Candidate, Taken)]) -> Result<HashMap<Vec<u8>, i64>, StoreError> {
        let hashes = taken.iter().filter_map(|(_, taken)| match taken {
            Taken::Read(contents) => Some(&contents.hash),
            Taken::Unread | Taken::Failed(_) => None,
        });
        let hashes: Vec<_> = hashes.collect();
        thing::known(self.db, self.resource.workspace, &hashes).await
    }

    /// `known` is the thing of its content, where that is catalogued.
    async fn finish_file(&self, candidate: Candidate, taken: Taken, known: Option<i64>) -> PreparedFile {
        let file = &candidate.file;
        let (content, bytes, redone) = match taken {
            Taken::Unread => (Ok(Content::Unread(describe_unread(&file.at.key, file.size))), 0, None),
            Taken::Failed(problem) => (Err(problem), 0, None),
            Taken::Read(contents) => {
                let bytes = u64::try_from(contents.size).unwrap_or(0);
                let (content, redone) = self.content(&candidate, *contents, known).await;
                (content, bytes, redone)
            }
        };
        PreparedFile { candidate, content, redone, bytes }
    }

    /// The content, and the thing whose failed analysis it mends.
    async fn content(
        &self,
        candidate: &Candidate,
        contents: Contents,
        known: Option<i64>,
    ) -> (Result<Content, ReadError>, Option<i64>) {
        let hash = contents.hash;
        if let Some(seq) = known
            && !(candidate.status == Status::Same && self.has_failed(seq).await)
        {
            return (Ok(Content::Known(hash)), None);
        }
        match self.analyze(&candidate.file.at.key, contents).await {
            Ok(analyzed) if known.is_some() && !analyzed.steps.iter().all(Step::is_well) => {
                (Ok(Content::Known(hash)), None)
            }
            Ok(analyzed) => (Ok(Content::New(hash, Box::new(analyzed))), known),
            Err(problem) => (Err(problem), None),
        }
    }

    /// Whether a step of a thing's analysis failed, as far as can be told.
    async fn has_failed(&self, seq: i64) -> bool {
        step::of_thing(self.db, seq).await.is_ok_and(|steps| !steps.iter().all(Step::is_well))
    }

    pub(super) async fn analyze(&self, key: &str, contents: Contents) -> Result<Analyzed, ReadError> {
        let analyzed = analyze_aside(self.ambient, self.documents, key, contents).await;
        analyzed.map_err(|error| ReadError::Unreadable(error.to_string()))
    }
}
