//! What differs between a listing and the catalog: a merge of two sequences in the same order.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::Sync;
use super::ended::Ended;
use crate::connector::{ConnectorError, Found, Listed, Listing, PassedOver};
use crate::model::ReferenceId;
use crate::store::reference::{self, ReferenceRow};

/// References that are read at once.
const PAGE: i64 = 1_000;
/// The most files of a batch.
const FILES: usize = 500;
/// The bytes that are read for a batch: it ends with the file that reaches them.
const BYTES: i64 = 8 * 1024 * 1024;
/// How many objects a batch may pass without any to be read.
const PASSED: usize = 1_000;
/// Files from this size on are named first and read later.
const LARGE: i64 = 1024 * 1024;

/// A file that is to be written.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) file: Listed,
    pub(super) status: Status,
}

impl Candidate {
    /// Whether it is only named for now. What is catalogued already and only to be read again is not: its
    /// thing would be another one meanwhile.
    pub(super) const fn is_deferred(&self) -> bool {
        self.file.size >= LARGE && !matches!(self.status, Status::Same)
    }
}

/// How a listed file compares with its reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// There is no reference.
    New,
    /// Size or time differ.
    Changed,
    /// Nothing differs, and it is read all the same.
    Same,
}

/// What one transaction writes, and what was passed on the way.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// To be read and written.
    pub(super) files: Vec<Candidate>,
    /// No longer listed.
    pub(super) vanished: Vec<ReferenceId>,
    /// Marked as vanished by an earlier attempt, and there again.
    pub(super) back: Vec<ReferenceId>,
    /// Nothing to be done.
    pub(super) unchanged: u64,
    /// Could not be looked at, and why.
    pub(super) unreadable: Vec<String>,
    /// With this batch the listing ended.
    pub(super) end: Option<PassedOver>,
    pub(super) bytes: i64,
    pub(super) passed: usize,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.end.is_some() || self.files.len() >= FILES || self.bytes >= BYTES || self.passed >= PASSED
    }

    fn add(&mut self, file: Listed, status: Status) {
        let candidate = Candidate { file, status };
        if !candidate.is_deferred() {
            self.bytes = self.bytes.saturating_add(candidate.file.size);
        }
        self.files.push(candidate);
    }
}

/// The comparison under way.
pub(super) struct Comparison<'a> {
    sync: &'a Sync<'a>,
    listing: Listing,
    found: VecDeque<Found>,
    rows: VecDeque<ReferenceRow>,
    /// The last key of the last page; `None` after the last page.
    after: Option<String>,
    /// Everything after this key is read, changed or not.
    full_from: Option<String>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(sync: &'a Sync<'a>, listing: Listing, full_from: Option<String>) -> Self {
        let (found, rows) = (VecDeque::new(), VecDeque::new());
        Self { sync, listing, found, rows, after: Some(String::new()), full_from }
    }

    /// The next batch. The one with an end is the last.
    pub(super) async fn batch(&mut self) -> Result<Batch, Ended> {
        let mut batch = Batch::default();
        while !batch.is_full() {
            self.look_ahead().await?;
            self.step(&mut batch);
            batch.passed += 1;
        }
        Ok(batch)
    }

    /// Sees to it that the next of each sequence is there.
    async fn look_ahead(&mut self) -> Result<(), Ended> {
        while self.found.is_empty() {
            let batch = self.listing.recv().await.ok_or(ConnectorError::BrokenOff)?;
            self.found.extend(batch?);
        }
        if self.rows.is_empty()
            && let Some(after) = self.after.take()
        {
            let page = reference::page(self.sync.db, self.sync.resource.id, &after, PAGE).await?;
            self.after = page.last().map(|row| row.key.clone());
            self.rows.extend(page);
        }
        Ok(())
    }

    fn step(&mut self, batch: &mut Batch) {
        match self.order() {
            Ordering::Greater => self.missing(batch),
            Ordering::Less => self.listed_only(batch),
            Ordering::Equal => self.both(batch),
        }
    }

    /// How the next listed compares with the next row. What can't be looked at is equal to all it covers.
    fn order(&self) -> Ordering {
        match (self.found.front(), self.rows.front()) {
            (_, None) => Ordering::Less,
            (Some(Found::Unreadable { position, .. }), Some(row)) if covers(position, &row.key) => {
                Ordering::Equal
            }
            (Some(found), Some(row)) => {
                found.position().map_or(Ordering::Greater, |position| position.cmp(&row.key))
            }
            (None, Some(_)) => Ordering::Greater,
        }
    }

    fn missing(&mut self, batch: &mut Batch) {
        let run = self.sync.run.id().uuid();
        if let Some(row) = self.rows.pop_front().filter(|row| row.vanished_in != Some(run)) {
            batch.vanished.push(row.id);
        }
    }

    fn listed_only(&mut self, batch: &mut Batch) {
        match self.found.pop_front() {
            Some(Found::File(file)) => batch.add(file, Status::New),
            Some(Found::Unreadable { position, problem }) => {
                batch.unreadable.push(format!("{position}: {problem}"));
            }
            Some(Found::End(passed)) => batch.end = Some(passed),
            None => {}
        }
    }

    fn both(&mut self, batch: &mut Batch) {
        let Some(row) = self.rows.pop_front() else { return };
        let file = match self.found.front() {
            Some(Found::File(_)) => self.found.pop_front(),
            // What it covers may go on.
            _ => None,
        };
        match file {
            Some(Found::File(file)) if file.size != row.size || file.modified_at != row.modified_at => {
                batch.add(file, Status::Changed);
            }
            Some(Found::File(file)) if self.full_from.as_ref().is_some_and(|from| file.at.key > *from) => {
                batch.add(file, Status::Same);
            }
            Some(_) => {
                batch.unchanged += 1;
                batch.back.extend(row.vanished_in.map(|_| row.id));
            }
            None => batch.back.extend(row.vanished_in.map(|_| row.id)),
        }
    }
}

/// Whether what lies at `key` can't be looked at, as `position` can't.
fn covers(position: &str, key: &str) -> bool {
    if position.ends_with('/') { key.starts_with(position) } else { key == position }
}
