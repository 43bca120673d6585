//! Which things a selector means, ranked.
//!
//! **Matching.** A query matches a thing as a whole: each word may be found in its text or in the title or path
//! of any reference within the caller's reach. So each atom is looked up by itself, over one range of things
//! at a time, and what all of them found is intersected here ([`matching`]).
//!
//! **Rank** comes from the query and the thing alone, never from what else is catalogued: each atom counts by
//! the best place it was found in (title, path, among the text's chief words, text), and of two that are equal
//! so the one whose text is shorter comes first. So a page can be computed again later and is the same.
//!
//! **Windows.** Ranked are the newest matches, [`Effort::window`] of them; older ones follow in windows of their own. A window
//! is a range of things' seqs, fixed by the cursor, so that what a running sync adds changes no later page. It
//! is filled from the newest things on, and what is older is not looked at: so a word that stands everywhere
//! costs no more than one that stands in as many things as a window holds. Where words that stand everywhere
//! have to be put together to find a few, a window ends earlier: with [`Effort::enough`] matches, once
//! [`Effort::costly`] bytes of the index were read.
//!
//! **Bounds.** What a question makes the index read is bounded, whatever is asked: a look that would take too much
//! at once is done in halves, and an answer that has read [`Effort::answer_bytes`] ends with what was found until then and
//! a cursor to go on from.

mod matching;
mod score;

use std::cmp::Reverse;

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

pub use super::index::read::Range;
use super::index::read::{LookError, Reader};
use super::thing;
use crate::model::{Query, Reach, Selector};

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many of the newest matches are ranked together.
    pub window: usize,
    /// So many matches are a window where more of them are costly: one more than are counted exactly.
    pub enough: usize,
    /// So much of the index read, in bytes as they are stored, is costly.
    pub costly: u64,
    /// How many units of the index the first look covers: a window's things, each with a text and a reference,
    /// and some that do not match.
    pub first_look: i64,
    /// After how much of the index, in bytes as they are stored, an answer ends.
    pub answer_bytes: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            window: 10_000,
            enough: 1_001,
            costly: 512 * 1024,
            first_look: 24_000,
            answer_bytes: 64 * 1024 * 1024,
        }
    }
}

/// A question to the catalog.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// What the caller may see.
    pub reach: &'a Reach,
    /// What is asked for.
    pub selector: &'a Selector,
}

/// A thing that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The thing.
    pub seq: i64,
    /// How well it matches; more is better. All the same where there is no query.
    pub rank: i64,
}

/// The matches of one window, best first, newest first among equals.
#[derive(Clone, Debug)]
pub struct Window {
    /// The things it covers.
    pub range: Range,
    /// All matches in it.
    pub hits: Vec<Hit>,
}

/// A question being answered, on the index as it is now.
#[derive(Debug)]
pub struct Search<'a> {
    db: &'a Database,
    question: &'a Question<'a>,
    query: Query,
    reader: Reader<'a>,
    effort: Effort,
    /// The things that were catalogued when the selector says.
    bounds: Range,
}

impl<'a> Search<'a> {
    /// Begins to answer.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn open(
        db: &'a Database,
        question: &'a Question<'a>,
        effort: Effort,
    ) -> Result<Self, StoreError> {
        let reader = Reader::open(db, question.workspace).await?;
        let bounds = bounds(db, question, reader.top()).await?;
        let query = question.selector.query.clone().unwrap_or_default();
        Ok(Self { db, question, query, reader, effort, bounds })
    }

    /// Whether nothing of the index went while it was read: what was found otherwise may lack something.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn is_whole(&self) -> Result<bool, StoreError> {
        self.reader.is_whole().await
    }

    /// The window of the newest matches.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn newest(&self) -> Result<Window, StoreError> {
        self.below(self.bounds.high).await
    }

    /// The window of the newest matches below `high`. Its range ends at 0 when there are no older ones; what it
    /// ends at otherwise may be short of a whole window's matches, even of any, where much had to be read.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn below(&self, high: i64) -> Result<Window, StoreError> {
        let (mut range, mut look) = (Range { low: high, high }, self.effort.first_look);
        // What was read before, of the window above, counts for nothing: each answer gets further.
        let begun = self.reader.read();
        let mut hits = Vec::new();
        while !self.is_full(hits.len(), begun) && range.low > self.bounds.low {
            let low = self.reader.below(range.low, look).max(self.bounds.low);
            let matches = self
                .matches(Range { low, high: range.low }, begun.saturating_add(self.effort.answer_bytes))
                .await?;
            hits.extend(matches.hits);
            range.low = matches.low;
            look = self.next_look(look, hits.len());
        }
        if hits.len() > self.effort.window {
            hits.sort_unstable_by_key(|hit| Reverse(hit.seq));
            hits.truncate(self.effort.window);
            range.low = hits.last().map_or(range.low, |hit| hit.seq);
        } else if range.low <= self.bounds.low {
            range.low = 0;
        }
        Ok(Window { range, hits: ranked(hits) })
    }

    fn is_full(&self, hits: usize, begun: u64) -> bool {
        let (read, effort) = (self.reader.read() - begun, &self.effort);
        hits >= effort.window || hits >= effort.enough && read >= effort.costly || read >= effort.answer_bytes
    }

    /// How much the next look covers, in units, where one of `look` units has made it so many hits: as much as
    /// it takes to find enough for a window, were they spread evenly, but no more than eight times as much as
    /// before, so that a window can end when it has become costly.
    fn next_look(&self, look: i64, hits: usize) -> i64 {
        let number = |hits| i64::try_from(hits).unwrap_or(i64::MAX);
        let missing = number(self.effort.window.saturating_sub(hits));
        let rest = look.saturating_mul(missing).checked_div(number(hits)).unwrap_or(i64::MAX);
        rest.saturating_add(look / 4).min(look.saturating_mul(8))
    }

    /// The same window again, as a cursor names it.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn window(&self, range: Range) -> Result<Window, StoreError> {
        let low = range.low.max(self.bounds.low);
        let matches = self.matches(Range { low, high: range.high.min(self.bounds.high) }, u64::MAX).await?;
        Ok(Window { range, hits: ranked(matches.hits) })
    }

    /// The matches in a range, from the newest things on, until this reader has read `most` bytes of the index.
    async fn matches(&self, range: Range, most: u64) -> Result<Matches, StoreError> {
        let (mut matches, mut due) = (Matches { hits: Vec::new(), low: range.high }, vec![range]);
        while let Some(range) = due.pop().filter(|_| self.reader.read() < most) {
            match self.look(range).await {
                Ok(hits) => {
                    matches.hits.extend(hits);
                    matches.low = range.low;
                }
                Err(LookError::TooMuch) => due.extend(range.halves()),
                Err(LookError::Store(error)) => return Err(error),
            }
            // Other requests may go on between the looks of one that takes long.
            tokio::task::yield_now().await;
        }
        Ok(matches)
    }
}

/// What a range holds, as far as it was looked at.
struct Matches {
    /// In no order.
    hits: Vec<Hit>,
    /// From here on everything was looked at.
    low: i64,
}

/// The things that were catalogued when the selector says.
async fn bounds(db: &Database, question: &Question<'_>, top: i64) -> Result<Range, StoreError> {
    let Selector { since, before, .. } = question.selector;
    let mut bounds = Range { low: 0, high: top };
    if let Some(since) = since {
        bounds.low = thing::first_since(db, question.workspace, *since).await?.unwrap_or(top);
    }
    if let Some(before) = before {
        bounds.high = thing::first_since(db, question.workspace, *before).await?.unwrap_or(top);
    }
    Ok(bounds)
}

fn ranked(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable_by_key(|hit| Reverse((hit.rank, hit.seq)));
    hits
}
