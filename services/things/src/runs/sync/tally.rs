//! What a sync counts: for its progress, for its end, and for the attempt after this one.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_base::text::clip::one_line;
use stoa_runs::Progress;

use super::compare::{Batch, Status};
use super::prepare::PreparedFile;
use crate::connector::{PassedOver, ReadError};
use crate::store::catalog::Content;

/// How many of those that can't be read are named.
const NAMED: usize = 3;
/// How much is said of one of them, in characters.
const NAMED_CHARS: usize = 300;

/// What a sync counted so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    saved: Saved,
    /// What earlier attempts had written, which this one finds unchanged.
    earlier: u64,
    files: u64,
    unchanged: u64,
    unsettled: u64,
    unreadable: u64,
    named: Vec<String>,
    passed: PassedOver,
    done: u64,
    bytes: u64,
    /// Files there are: at first as many as the last sync found.
    expected: Option<u64>,
}

/// What the next attempt goes on from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Saved {
    added: u64,
    changed: u64,
    removed: u64,
    /// The last key that was written.
    key: String,
}

impl Tally {
    /// Goes on from an earlier attempt's checkpoint; `last` is what the last sync counted.
    pub(super) fn new(checkpoint: Option<&Value>, last: Option<&Value>) -> Self {
        let saved = checkpoint.and_then(|saved| Saved::deserialize(saved).ok()).unwrap_or_default();
        Self {
            earlier: saved.added + saved.changed,
            saved,
            expected: last.and_then(|counts| counts["files"].as_u64()),
            ..Self::default()
        }
    }

    pub(super) fn written_up_to(&self) -> String {
        self.saved.key.clone()
    }

    /// Counts what a batch passed on the way to its files.
    pub(super) fn pass(&mut self, batch: &Batch) {
        self.files += batch.unchanged;
        self.unchanged += batch.unchanged;
        self.done += batch.unchanged;
        batch.unreadable.iter().for_each(|problem| self.name(problem));
        if let Some(passed) = batch.end {
            self.passed = passed;
        }
    }

    /// Counts a file that was written, or could not be read.
    pub(super) fn count(&mut self, file: &PreparedFile) {
        let candidate = &file.candidate;
        self.files += 1;
        self.bytes += file.bytes;
        self.done += u64::from(!candidate.is_deferred());
        self.saved.key.clone_from(&candidate.file.at.key);
        match (&file.content, candidate.status) {
            (Err(problem), _) => self.fail(&candidate.file.at.key, problem),
            (Ok(_), Status::New) => self.saved.added += 1,
            (Ok(Content::Known(_)), Status::Same) => self.unchanged += 1,
            (Ok(_), Status::Changed | Status::Same) => self.saved.changed += 1,
        }
    }

    /// The listing is over: now it is known how many files there are.
    pub(super) fn listed(&mut self) {
        self.expected = Some(self.files);
    }

    /// Counts a file that was only named at first and is read now.
    pub(super) fn count_identified(&mut self, bytes: u64) {
        self.done += 1;
        self.bytes += bytes;
    }

    pub(super) fn count_removed(&mut self, removed: usize) {
        self.saved.removed += u64::try_from(removed).unwrap_or(0);
    }

    /// Counts what could not be read. What is gone is no trouble: the next listing shows it.
    pub(super) fn fail(&mut self, key: &str, problem: &ReadError) {
        match problem {
            ReadError::Gone => {}
            ReadError::Unsettled => self.unsettled += 1,
            ReadError::Unreadable(problem) => self.name(&format!("{key}: {problem}")),
        }
    }

    fn name(&mut self, problem: &str) {
        self.unreadable += 1;
        if self.named.len() < NAMED {
            self.named.push(one_line(problem, NAMED_CHARS));
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let total = self.expected.map(|expected| expected.max(self.files));
        let done = total.map_or(self.done, |total| self.done.min(total));
        Progress { done, total, bytes: self.bytes }
    }

    pub(super) fn checkpoint(&self) -> Value {
        json!(self.saved)
    }

    /// What is shown of a sync that ended.
    pub(super) fn counts(&self) -> Value {
        json!({
            "files": self.files,
            "added": self.saved.added,
            "changed": self.saved.changed,
            "removed": self.saved.removed,
            "unchanged": self.unchanged.saturating_sub(self.earlier),
            "links": self.passed.links,
            "skipped": self.passed.skipped,
            "unreadable": self.unreadable,
            "unsettled": self.unsettled,
        })
    }

    /// What was wrong with a sync that ended.
    pub(super) fn problem(&self) -> Option<String> {
        let (first, rest) = (self.named.join("; "), self.unreadable - self.named_count());
        match (self.unreadable, rest) {
            (0, _) => None,
            (all, 0) => Some(format!("{all} could not be read: {first}")),
            (all, rest) => Some(format!("{all} could not be read: {first}; and {rest} more")),
        }
    }

    fn named_count(&self) -> u64 {
        u64::try_from(self.named.len()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreadable(count: u64) -> Tally {
        let mut tally = Tally::default();
        (1..=count).for_each(|n| tally.fail(&format!("f{n}"), &ReadError::Unreadable("denied".to_owned())));
        tally
    }

    #[test]
    fn the_problem_names_how_many_and_the_first_few() {
        assert_eq!(unreadable(0).problem(), None);
        assert_eq!(unreadable(1).problem().unwrap(), "1 could not be read: f1: denied");
        let five = "5 could not be read: f1: denied; f2: denied; f3: denied; and 2 more";
        assert_eq!(unreadable(5).problem().unwrap(), five);
    }

    #[test]
    fn what_earlier_attempts_wrote_is_not_counted_as_unchanged() {
        let checkpoint = json!({ "added": 3, "changed": 1, "removed": 0, "key": "d" });
        let mut tally = Tally::new(Some(&checkpoint), None);
        tally.pass(&Batch { unchanged: 10, ..Batch::default() });
        assert_eq!(tally.counts()["unchanged"], 6);
        assert_eq!(tally.counts()["added"], 3);
        assert_eq!(tally.written_up_to(), "d");
    }

    #[test]
    fn the_last_syncs_count_is_the_total_until_the_listing_is_over() {
        let mut tally = Tally::new(None, Some(&json!({ "files": 7 })));
        tally.pass(&Batch { unchanged: 5, ..Batch::default() });
        assert_eq!(tally.progress(), Progress { done: 5, total: Some(7), bytes: 0 });
        tally.listed();
        assert_eq!(tally.progress().total, Some(5));
    }
}
