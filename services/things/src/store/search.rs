//! Which things a selector means, ranked.
//!
//! **Matching.** A query matches a thing as a whole: each word may be found in any unit of its text or in the
//! title or path of any reference within the caller's reach. So each atom is looked up by itself, over one
//! range of things at a time, and what all of them found is intersected here.
//!
//! **Rank** comes from the query and the thing alone, never from what else is catalogued: each atom counts by
//! the best place it was found in (title, path, among the text's chief words, text), and of two that are equal
//! so the shorter text comes first. So a page can be computed again later and is the same.
//!
//! **Windows.** Ranked are the newest [`WINDOW`] matches; older ones follow in windows of their own. A window
//! is a range of things' seqs, fixed by the cursor, so that what a running sync adds changes no later page.

pub(crate) mod base;
pub(crate) mod lookup;

use std::collections::HashMap;

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::model::{Atom, Query, Reach, Selector};

/// How many of the newest matches are ranked together.
pub const WINDOW: usize = 10_000;
/// How many things the first look covers; each further one covers twice as many.
const FIRST_SPAN: i64 = 1 << 14;

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

/// A range of things: from `low` up to, without, `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The oldest seq in it.
    pub low: i64,
    /// The first seq after it.
    pub high: i64,
}

/// A thing that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The thing.
    pub seq: i64,
    /// How well it matches; more is better.
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

/// One more than the newest thing's seq: where the first window ends.
pub(crate) async fn top(db: &Database, workspace: WorkspaceId) -> Result<i64, StoreError> {
    base::top(db, workspace).await
}

/// The newest things that the selector means, without a query: (seq, newest first), at most `limit`.
pub(crate) async fn newest(
    db: &Database,
    question: &Question<'_>,
    before: i64,
    limit: i64,
) -> Result<Vec<i64>, StoreError> {
    base::newest(db, question, Range { low: 0, high: before }, limit).await
}

/// How many things the selector means without a query, counting no further than `limit`.
pub(crate) async fn count(db: &Database, question: &Question<'_>, limit: i64) -> Result<i64, StoreError> {
    base::count(db, question, limit).await
}

/// The window of the newest matches below `high`. Its range ends at 0 when there are no older ones.
pub(crate) async fn window_below(
    db: &Database,
    question: &Question<'_>,
    query: &Query,
    high: i64,
) -> Result<Window, StoreError> {
    let bottom = base::bottom(db, question.workspace).await?;
    let mut hits = Vec::new();
    let mut range = Range { low: high, high };
    let mut span = FIRST_SPAN;
    while hits.len() < WINDOW && range.low > bottom {
        let next = Range { low: (range.low - span).max(bottom), high: range.low };
        hits.extend(matches(db, question, query, next).await?);
        range.low = next.low;
        span *= 2;
    }
    if hits.len() > WINDOW {
        hits.sort_unstable_by_key(|hit| std::cmp::Reverse(hit.seq));
        hits.truncate(WINDOW);
        range.low = hits.last().map_or(range.low, |hit| hit.seq);
    } else if range.low <= bottom {
        range.low = 0;
    }
    Ok(Window { range, hits: ranked(hits) })
}

/// The same window again, as a cursor names it.
pub(crate) async fn window(
    db: &Database,
    question: &Question<'_>,
    query: &Query,
    range: Range,
) -> Result<Window, StoreError> {
    Ok(Window { range, hits: ranked(matches(db, question, query, range).await?) })
}

fn ranked(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.rank, hit.seq)));
    hits
}

/// All matches in a range, in no order.
async fn matches(
    db: &Database,
    question: &Question<'_>,
    query: &Query,
    range: Range,
) -> Result<Vec<Hit>, StoreError> {
    let mut found = match required(db, question, &query.required, range).await? {
        Some(ranks) => base::chosen_of(db, question, ranks).await?,
        None => base::newest(db, question, range, i64::MAX).await?.into_iter().map(|seq| (seq, 0)).collect(),
    };
    for atom in &query.excluded {
        let Some(span) = span_of(&found) else { break };
        for seq in lookup::places(db, question, atom, span).await?.keys() {
            found.remove(seq);
        }
    }
    Ok(found.into_iter().map(|(seq, rank)| Hit { seq, rank }).collect())
}

/// The things in which every atom is found, with their ranks; `None` if nothing is required.
async fn required(
    db: &Database,
    question: &Question<'_>,
    atoms: &[Atom],
    range: Range,
) -> Result<Option<HashMap<i64, i64>>, StoreError> {
    let mut found: Option<HashMap<i64, i64>> = None;
    for atom in rarest_first(atoms) {
        // What an earlier atom did not find needs no look.
        let Some(span) = found.as_ref().map_or(Some(range), span_of) else { break };
        let places = lookup::places(db, question, atom, span).await?;
        found = Some(match found {
            None => places,
            Some(before) => intersect(&before, &places),
        });
    }
    Ok(found)
}

fn intersect(before: &HashMap<i64, i64>, places: &HashMap<i64, i64>) -> HashMap<i64, i64> {
    let both = before.iter().filter_map(|(seq, rank)| Some((*seq, rank + places.get(seq)?)));
    both.collect()
}

/// The smallest range that holds all of these things.
fn span_of(found: &HashMap<i64, i64>) -> Option<Range> {
    let low = found.keys().min()?;
    let high = found.keys().max()?;
    Some(Range { low: *low, high: high + 1 })
}

/// Longer words and phrases are rarer as a rule: looking them up first leaves the others less to do.
fn rarest_first(atoms: &[Atom]) -> Vec<&Atom> {
    let mut atoms: Vec<&Atom> = atoms.iter().collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.tokens.iter().map(String::len).sum::<usize>()));
    atoms
}
