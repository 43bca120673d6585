//! Reading the index: the postings of a word in a range of things.
//!
//! A reader takes the list of segments once and keeps to it: what is merged meanwhile stays readable for a
//! while, and what is added meanwhile is not seen.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use sqlx::{FromRow, query_as, query_scalar};
use stoa_base::WorkspaceId;
use stoa_store::{Database, Dialect, StoreError, on, queries};

use super::DEAD;
use super::block::{Stream, words};
use super::posting::{Placed, Posting, Source, placed, postings};

queries! {
    /// A workspace's segments.
    SEGMENTS = "SELECT id, low, high, units, dead, bytes FROM thing_segment
        WHERE workspace_id = $1 AND replaced_at IS NULL ORDER BY id";
    /// The blocks of segments ($1: JSON list) in which words from $3 to $4 may stand: those called so, and the
    /// last one before. $2: stream; $5, $6: things from, up to without;
    /// $7: only blocks about any of these (JSON list, on PostgreSQL an array).
    BLOCKS = {
        sqlite: "SELECT b.body FROM json_each($1) s CROSS JOIN thing_block b ON b.segment_id = s.value
                AND b.stream = $2 AND b.word <= $4
                AND b.word >= COALESCE((SELECT MAX(m.word) FROM thing_block m
                    WHERE m.segment_id = s.value AND m.stream = $2 AND m.word < $3), '')
            WHERE b.high >= $5 AND b.low < $6 AND ($7 IS NULL
                OR EXISTS (SELECT 1 FROM json_each($7) one WHERE one.value BETWEEN b.low AND b.high))",
        postgres: "SELECT b.body FROM jsonb_array_elements_text(CAST($1 AS jsonb)) s
            CROSS JOIN LATERAL (SELECT COALESCE((SELECT m.word FROM thing_block m
                WHERE m.segment_id = CAST(s.value AS BIGINT) AND m.stream = $2 AND m.word < $3
                ORDER BY m.word DESC LIMIT 1), '') AS word) first
            CROSS JOIN LATERAL (SELECT m.body FROM thing_block m
                WHERE m.segment_id = CAST(s.value AS BIGINT) AND m.stream = $2
                    AND m.word >= first.word AND m.word <= $4
                    AND m.high >= $5 AND m.low < $6 AND (CAST($7 AS TEXT) IS NULL
                        OR EXISTS (SELECT 1 FROM unnest(CAST(CAST($7 AS TEXT) AS BIGINT[])) one (seq) WHERE one.seq BETWEEN m.low AND m.high))
                OFFSET 0) b",
    };
    /// All blocks of a segment, in order.
    ALL_BLOCKS = "SELECT stream, body FROM thing_block WHERE segment_id = $1 ORDER BY stream, word, part";
}

/// A range of things: from `low` up to, without, `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The oldest seq in it.
    pub low: i64,
    /// The first seq after it.
    pub high: i64,
}

impl Range {
    /// Whether the thing is in it.
    #[must_use]
    pub const fn holds(self, seq: i64) -> bool {
        self.low <= seq && seq < self.high
    }
}

/// Where to look.
#[derive(Clone, Debug)]
pub struct Span {
    /// The things.
    pub range: Range,
    /// Of those only these, ascending: blocks without any of them are not read. What is found may be of others.
    pub only: Option<Vec<i64>>,
}

impl Span {
    /// A whole range.
    #[must_use]
    pub const fn whole(range: Range) -> Self {
        Self { range, only: None }
    }

    /// Whether anything from `low` to `high` is meant.
    fn touches(&self, low: i64, high: i64) -> bool {
        if high < self.range.low || low >= self.range.high {
            return false;
        }
        self.only.as_ref().is_none_or(|only| {
            let first = only.partition_point(|seq| *seq < low);
            only.get(first).is_some_and(|seq| *seq <= high)
        })
    }
}

/// Which words are meant.
#[derive(Clone, Copy, Debug)]
pub enum Term<'a> {
    /// This one.
    Word(&'a str),
    /// All that begin so.
    Beginning(&'a str),
}

impl Term<'_> {
    fn means(self, word: &str) -> bool {
        match self {
            Self::Word(this) => word == this,
            Self::Beginning(beginning) => word.starts_with(beginning),
        }
    }

    /// The first and the last word that may be meant.
    fn ends(self) -> (String, String) {
        match self {
            Self::Word(word) => (word.to_owned(), word.to_owned()),
            Self::Beginning(beginning) => (beginning.to_owned(), format!("{beginning}\u{10FFFF}")),
        }
    }
}

/// A segment, as listed.
#[derive(Clone, Debug, FromRow)]
pub struct SegmentRow {
    /// Grows with each new segment.
    pub id: i64,
    /// Its oldest thing.
    pub low: i64,
    /// Its newest thing.
    pub high: i64,
    /// How many units it adds.
    pub units: i64,
    /// How many it says are no more.
    pub dead: i64,
    /// How large it is.
    pub bytes: i64,
}

/// A workspace's index as it is at one moment.
#[derive(Debug)]
pub struct Reader<'a> {
    db: &'a Database,
    segments: Vec<SegmentRow>,
    /// Postings that were read.
    read: AtomicUsize,
}

impl<'a> Reader<'a> {
    /// Takes the list of segments.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn open(db: &'a Database, workspace: WorkspaceId) -> Result<Self, StoreError> {
        Ok(Self { db, segments: segments(db, workspace).await?, read: AtomicUsize::new(0) })
    }

    /// How many postings were read so far: what the answer has cost.
    #[must_use]
    pub fn read(&self) -> usize {
        self.read.load(Ordering::Relaxed)
    }

    /// One more than the newest thing's seq.
    #[must_use]
    pub fn top(&self) -> i64 {
        self.segments.iter().map(|segment| segment.high + 1).max().unwrap_or(0)
    }

    /// Where a range ends that begins below `high` and holds about so many units: each segment's are taken to
    /// be spread evenly. 0 where there are not so many.
    #[must_use]
    pub fn below(&self, high: i64, units: i64) -> i64 {
        let (mut low, mut top) = (0, high);
        if self.units_in(Range { low, high }) <= units {
            return 0;
        }
        while top - low > 1 {
            let middle = i64::midpoint(low, top);
            if self.units_in(Range { low: middle, high }) >= units { low = middle } else { top = middle }
        }
        low
    }

    fn units_in(&self, range: Range) -> i64 {
        let of = |segment: &SegmentRow| {
            let both = segment.high.min(range.high - 1) - segment.low.max(range.low) + 1;
            let all = i128::from(segment.high - segment.low + 1);
            let share = i128::from(segment.units) * i128::from(both.max(0)) / all;
            i64::try_from(share).unwrap_or(i64::MAX)
        };
        self.segments.iter().map(of).sum()
    }

    /// In which units of the range the term stands: by (thing, source), each once.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn units(&self, term: Term<'_>, span: &Span) -> Result<Vec<Posting>, StoreError> {
        let mut found = Vec::new();
        for body in self.blocks(Stream::Units, term, span).await? {
            for (_, run) in words(&body).filter(|(word, _)| term.means(word)) {
                found.extend(postings(run).filter(|posting| span.range.holds(posting.seq)));
            }
        }
        self.read.fetch_add(found.len(), Ordering::Relaxed);
        // Runs are in order, so that this only merges them.
        found.sort_by_key(|posting| (posting.seq, posting.source));
        found.dedup_by(|one, kept| {
            let same = (one.seq, one.source) == (kept.seq, kept.source);
            kept.mark |= if same { one.mark } else { 0 };
            same
        });
        Ok(found)
    }

    /// Likewise with the positions, where one unit may come several times.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn positions(&self, term: Term<'_>, span: &Span) -> Result<Vec<Placed>, StoreError> {
        let mut found = Vec::new();
        for body in self.blocks(Stream::Positions, term, span).await? {
            for (_, run) in words(&body).filter(|(word, _)| term.means(word)) {
                found.extend(placed(run).filter(|placed| span.range.holds(placed.posting.seq)));
            }
        }
        self.read.fetch_add(found.len(), Ordering::Relaxed);
        found.sort_by_key(|placed| (placed.posting.seq, placed.posting.source));
        Ok(found)
    }

    /// The units of the range that are no more.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn dead(&self, span: &Span) -> Result<HashSet<(i64, Source)>, StoreError> {
        if self.segments.iter().all(|segment| segment.dead == 0) {
            return Ok(HashSet::new());
        }
        let dead = self.units(Term::Word(DEAD), span).await?;
        Ok(dead.into_iter().map(|posting| (posting.seq, posting.source)).collect())
    }

    async fn blocks(&self, stream: Stream, term: Term<'_>, span: &Span) -> Result<Vec<Vec<u8>>, StoreError> {
        let overlap = self.segments.iter().filter(|segment| span.touches(segment.low, segment.high));
        let ids: Vec<i64> = overlap.map(|segment| segment.id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (first, last) = term.ends();
        let only = span.only.as_ref().map(|only| match self.db.dialect() {
            Dialect::Sqlite => json!(only).to_string(),
            Dialect::Postgres => json!(only).to_string().replace('[', "{").replace(']', "}"),
        });
        let (sql, segments) = (self.db.dialect().text(&BLOCKS), json!(ids).to_string());
        Ok(on!(read self.db, c => query_scalar(sql)
            .bind(&segments)
            .bind(stream.number())
            .bind(&first)
            .bind(&last)
            .bind(span.range.low)
            .bind(span.range.high)
            .bind(only)
            .fetch_all(c)
            .await)?)
    }
}

/// A workspace's segments, the oldest first.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn segments(db: &Database, workspace: WorkspaceId) -> Result<Vec<SegmentRow>, StoreError> {
    Ok(on!(read db, c => query_as(SEGMENTS).bind(workspace.uuid()).fetch_all(c).await)?)
}

/// All blocks of a segment, in order: (stream, body).
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn all_blocks(db: &Database, segment: i64) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
    Ok(on!(read db, c => query_as(ALL_BLOCKS).bind(segment).fetch_all(c).await)?)
}
