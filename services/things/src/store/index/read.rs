//! Reading the index: the postings of a word in a range of things.
//!
//! A reader takes the list of segments once and keeps to it: what is merged meanwhile stays readable for a
//! while, and what is added meanwhile is not seen.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use sqlx::{FromRow, query_as, query_scalar};
use stoa_base::WorkspaceId;
use stoa_store::{Database, Dialect, StoreError, on, queries};

use super::DEAD;
use super::block::{Stream, words};
use super::posting::{Entry, Placements, Posting, Source, entries, postings};

queries! {
    /// A workspace's segments.
    SEGMENTS = "SELECT id, low, high, units, dead, bytes FROM thing_segment
        WHERE workspace_id = $1 AND replaced_at IS NULL ORDER BY id";
    /// The blocks of segments ($1: JSON list) in which words from $3 to $4 may stand: those called so, and the
    /// last one before, whose later parts hold nothing but its own word. $2: stream; $5, $6: things from, up to without;
    /// $7: only blocks about any of these (JSON list, on PostgreSQL an array). $8: so many.
    BLOCKS = {
        sqlite: "SELECT b.body FROM json_each($1) s CROSS JOIN thing_block b ON b.segment_id = s.value
                AND b.stream = $2 AND b.word <= $4
                AND b.word >= COALESCE((SELECT MAX(m.word) FROM thing_block m
                    WHERE m.segment_id = s.value AND m.stream = $2 AND m.word < $3), '')
                AND (b.word >= $3 OR b.part = 0)
            WHERE b.high >= $5 AND b.low < $6 AND ($7 IS NULL
                OR EXISTS (SELECT 1 FROM json_each($7) one WHERE one.value BETWEEN b.low AND b.high)) LIMIT $8",
        postgres: "SELECT b.body FROM jsonb_array_elements_text(CAST($1 AS jsonb)) s
            CROSS JOIN LATERAL (SELECT COALESCE((SELECT m.word FROM thing_block m
                WHERE m.segment_id = CAST(s.value AS BIGINT) AND m.stream = $2 AND m.word < $3
                ORDER BY m.word DESC LIMIT 1), '') AS word) first
            CROSS JOIN LATERAL (SELECT m.body FROM thing_block m
                WHERE m.segment_id = CAST(s.value AS BIGINT) AND m.stream = $2
                    AND m.word >= first.word AND m.word <= $4 AND (m.word >= $3 OR m.part = 0)
                    AND m.high >= $5 AND m.low < $6 AND (CAST($7 AS TEXT) IS NULL
                        OR EXISTS (SELECT 1 FROM unnest(CAST(CAST($7 AS TEXT) AS BIGINT[])) one (seq) WHERE one.seq BETWEEN m.low AND m.high))
                OFFSET 0) b LIMIT $8",
    };
    /// How many of the segments $1 (JSON list) there still are.
    PRESENT = {
        sqlite: "SELECT COUNT(*) FROM thing_segment WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT COUNT(*) FROM thing_segment
            WHERE id IN (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// All blocks of a segment, in order.
    ALL_BLOCKS = "SELECT stream, body FROM thing_block WHERE segment_id = $1 ORDER BY stream, word, part";
}

/// How many blocks one look-up may read, of four kilobytes each as a rule: some twenty times as much in memory.
const MOST_BLOCKS: i64 = 1_024;

/// Why a look at the index brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is more in the range than is read at once.
    #[error("too much to read at once")]
    TooMuch,
}

impl From<sqlx::Error> for LookError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
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

    /// Its older and its newer half.
    #[must_use]
    pub const fn halves(self) -> [Self; 2] {
        let middle = i64::midpoint(self.low, self.high);
        [Self { low: self.low, high: middle }, Self { low: middle, high: self.high }]
    }

    /// How many blocks one look-up in it may read. A single thing is looked at whole.
    const fn most_blocks(self) -> i64 {
        if self.high - self.low > 1 { MOST_BLOCKS } else { i64::MAX - 1 }
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

/// The units that are looked for among the entries of a run; both are by (thing, source).
struct Wanted<'a> {
    /// Those that may still come; `None` where all are wanted.
    rest: Option<&'a [(i64, Source)]>,
    begun: bool,
}

impl<'a> Wanted<'a> {
    const fn of(units: Option<&'a [(i64, Source)]>) -> Self {
        Self { rest: units, begun: false }
    }

    fn holds(&mut self, entry: &Entry<'_>) -> bool {
        let Some(mut rest) = self.rest else { return true };
        let unit = (entry.seq, entry.source);
        if !self.begun {
            // A run may begin far behind the first of them.
            rest = rest.get(rest.partition_point(|wanted| *wanted < unit)..).unwrap_or_default();
            self.begun = true;
        }
        while let Some((_, after)) = rest.split_first().filter(|(first, _)| **first < unit) {
            rest = after;
        }
        self.rest = Some(rest);
        rest.first() == Some(&unit)
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
    /// How much was read so far, in bytes as they are stored.
    read: AtomicU64,
}

impl<'a> Reader<'a> {
    /// Takes the list of segments.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn open(db: &'a Database, workspace: WorkspaceId) -> Result<Self, StoreError> {
        Ok(Self { db, segments: segments(db, workspace).await?, read: AtomicU64::new(0) })
    }

    /// The segments, the oldest first.
    #[must_use]
    pub fn segments(&self) -> &[SegmentRow] {
        &self.segments
    }

    /// Whether all of them are still there: those that were replaced meanwhile are kept for a while only.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn is_whole(&self) -> Result<bool, StoreError> {
        let ids: Vec<i64> = self.segments.iter().map(|segment| segment.id).collect();
        let (sql, list) = (self.db.dialect().text(&PRESENT), json!(ids).to_string());
        let present: i64 = on!(read self.db, c => query_scalar(sql).bind(&list).fetch_one(c).await)?;
        Ok(usize::try_from(present) == Ok(ids.len()))
    }

    /// How much was read so far, in bytes as they are stored.
    #[must_use]
    pub fn read(&self) -> u64 {
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
    /// [`LookError::TooMuch`] where the range has to be looked at in parts.
    pub async fn units(&self, term: Term<'_>, span: &Span) -> Result<Vec<Posting>, LookError> {
        let mut found = Vec::new();
        for body in self.blocks(Stream::Units, term, span).await? {
            for (_, run) in words(&body).filter(|(word, _)| term.means(word)) {
                found.extend(postings(run).filter(|posting| span.range.holds(posting.seq)));
            }
        }
        // Runs are in order, so that this only merges them.
        found.sort_by_key(|posting| (posting.seq, posting.source));
        found.dedup_by(|one, kept| {
            let same = (one.seq, one.source) == (kept.seq, kept.source);
            kept.mark |= if same { one.mark } else { 0 };
            same
        });
        Ok(found)
    }

    /// Likewise with the positions, where one unit may come several times. Where there is `among`, by (thing,
    /// source), only of the units in it: the positions of others are passed over.
    ///
    /// # Errors
    /// [`LookError::TooMuch`] where the range has to be looked at in parts.
    pub async fn positions(
        &self,
        term: Term<'_>,
        span: &Span,
        among: Option<&Placements>,
    ) -> Result<Placements, LookError> {
        let units: Option<Vec<_>> =
            among.map(|among| among.postings().map(|posting| (posting.seq, posting.source)).collect());
        let mut found = Placements::default();
        for body in self.blocks(Stream::Positions, term, span).await? {
            for (_, run) in words(&body).filter(|(word, _)| term.means(word)) {
                let mut wanted = Wanted::of(units.as_deref());
                let entries = entries(run, true).filter(|entry| span.range.holds(entry.seq));
                entries.filter(|entry| wanted.holds(entry)).for_each(|entry| found.read(&entry));
            }
        }
        found.sort();
        Ok(found)
    }

    /// The units of the range that are no more.
    ///
    /// # Errors
    /// [`LookError::TooMuch`] where the range has to be looked at in parts.
    pub async fn dead(&self, span: &Span) -> Result<HashSet<(i64, Source)>, LookError> {
        if self.segments.iter().all(|segment| segment.dead == 0) {
            return Ok(HashSet::new());
        }
        let dead = self.units(Term::Word(DEAD), span).await?;
        Ok(dead.into_iter().map(|posting| (posting.seq, posting.source)).collect())
    }

    /// All units that are no more, in the whole index.
    ///
    /// # Errors
    /// [`StoreError`] when the database refused.
    pub async fn all_dead(&self) -> Result<HashSet<(i64, Source)>, StoreError> {
        let (mut all, mut due) = (HashSet::new(), vec![Range { low: 0, high: self.top() }]);
        while let Some(range) = due.pop() {
            match self.dead(&Span::whole(range)).await {
                Ok(dead) => all.extend(dead),
                Err(LookError::TooMuch) => due.extend(range.halves()),
                Err(LookError::Store(error)) => return Err(error),
            }
        }
        Ok(all)
    }

    async fn blocks(&self, stream: Stream, term: Term<'_>, span: &Span) -> Result<Vec<Vec<u8>>, LookError> {
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
        let most = span.range.most_blocks();
        let bodies: Vec<Vec<u8>> = on!(read self.db, c => query_scalar(sql)
            .bind(&segments)
            .bind(stream.number())
            .bind(&first)
            .bind(&last)
            .bind(span.range.low)
            .bind(span.range.high)
            .bind(only)
            .bind(most.saturating_add(1))
            .fetch_all(c)
            .await)?;
        let bytes = bodies.iter().map(|body| u64::try_from(body.len()).unwrap_or(0)).sum();
        self.read.fetch_add(bytes, Ordering::Relaxed);
        let too_much = i64::try_from(bodies.len()).is_ok_and(|blocks| blocks > most);
        if too_much { Err(LookError::TooMuch) } else { Ok(bodies) }
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
