//! Searching the whole catalog at once.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_store::{Database, StoreError};

use super::list_resources::{Completeness, completeness};
use super::rights;
use super::{Things, ThingsError, may};
use crate::model::{Kind, Query, Reach, ResourceId, Selector, ThingId, title};
use crate::store::reference::{self, ShownReference};
use crate::store::search::{Hit, Question, Range, Search};
use crate::store::text;
use crate::store::thing::{self, ThingRow};
use crate::text::snippet;

/// Up to this many matches are counted exactly.
const COUNTED: usize = 1_000;
/// References shown with each thing.
const REFERENCES: i64 = 10;
/// Where a page ends even when it holds fewer things than asked for, in bytes of JSON.
const PAGE_BYTES: usize = 64 * 1024;
/// How often a search is tried that the tidying of the index overtakes.
const TRIES: usize = 3;
/// Parts of a long text that are looked through for the place to show.
const SNIPPET_PARTS: i64 = 16;

/// What is asked.
#[derive(Clone, Debug)]
pub struct SearchThings {
    /// Which things.
    pub selector: Selector,
    /// How many at most, 1 to 200.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// One page of what was found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Best first; without a query newest first.
    pub things: Vec<FoundThing>,
    /// How many match: exact up to 1,000.
    pub total: usize,
    /// Whether there are more than `total`.
    pub total_is_lower_bound: bool,
    /// How much of the caller's places this answer rests on.
    pub completeness: Completeness,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A thing as a search shows it.
#[derive(Clone, Debug, Serialize)]
pub struct FoundThing {
    /// Its id, for `get_thing`.
    pub id: ThingId,
    /// What it is.
    pub kind: Kind,
    /// Its own title, or its file name.
    pub title: String,
    /// The text around the first match, or its beginning. Null where it has no text.
    pub snippet: Option<String>,
    /// Where copies of it lie, ten at most.
    pub references: Vec<FoundReference>,
    /// How many there are.
    pub reference_count: i64,
    /// When it was first seen.
    pub catalogued_at: Timestamp,
}

/// Where a copy lies.
#[derive(Clone, Debug, Serialize)]
pub struct FoundReference {
    /// The resource.
    pub resource_id: ResourceId,
    /// The locator key in it.
    pub key: String,
}

/// Where a page ended. Windows are named by their range, so that they stay what they were.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Place {
    /// The window's range.
    low: i64,
    high: i64,
    /// Rank and seq of the last thing shown.
    rank: i64,
    seq: i64,
    /// What the first page counted.
    total: usize,
    more: bool,
}

/// Finds what the selector means, within the caller's reach.
///
/// # Errors
/// [`ThingsError::Argument`] for a cursor of another search, [`ThingsError::Denied`] without the right.
pub async fn search_things(
    things: &Things,
    caller: &Arc<Caller>,
    asked: &SearchThings,
) -> Result<Found, ThingsError> {
    let may = may::in_workspace::<rights::Search>(caller)?;
    let caller = may.caller();
    let reach = Reach::from(&caller.reach);
    let question = Question { workspace: caller.workspace, reach: &reach, selector: &asked.selector };
    let context = format!("search_things/{}/{}", caller.installation, asked.selector.digest());
    let place: Option<Place> = things.place(&context, asked.cursor.as_deref())?;
    let page = page(things, &question, place, asked.limit).await?;
    let (shown, last) = show(things.db(), &reach, asked.selector.query.as_ref(), &page.hits).await?;
    let next = page.next(last).map(|place| things.cursors().seal(&context, &place));
    Ok(Found {
        things: shown,
        total: page.total,
        total_is_lower_bound: page.more,
        completeness: completeness(things.db(), caller).await?,
        next_cursor: next,
    })
}

/// The hits of one page, and how to go on after any of them.
struct Page {
    hits: Vec<Hit>,
    range: Range,
    /// Whether anything may follow the last hit.
    follows: bool,
    total: usize,
    more: bool,
}

impl Page {
    /// The place after the first `shown` hits; `None` where nothing follows.
    fn next(&self, shown: usize) -> Option<Place> {
        // Where there is none, all of the window is behind.
        let last = shown.checked_sub(1).and_then(|last| self.hits.get(last).copied());
        let Hit { rank, seq } = last.unwrap_or(Hit { rank: i64::MIN, seq: 0 });
        let cut = shown < self.hits.len();
        (cut || self.follows).then_some(Place {
            low: self.range.low,
            high: self.range.high,
            rank,
            seq,
            total: self.total,
            more: self.more,
        })
    }
}

async fn page(
    things: &Things,
    question: &Question<'_>,
    place: Option<Place>,
    limit: usize,
) -> Result<Page, StoreError> {
    for _ in 0..TRIES {
        let search = Search::open(things.db(), question, things.settings().search).await?;
        let page = page_of(&search, place, limit).await?;
        if search.is_whole().await? {
            return Ok(page);
        }
    }
    let detail = "it is put in order faster than it can be read".to_owned();
    Err(StoreError::Unreadable { what: "index", detail })
}

async fn page_of(search: &Search<'_>, place: Option<Place>, limit: usize) -> Result<Page, StoreError> {
    let mut window = match place {
        Some(place) => search.window(Range { low: place.low, high: place.high }).await?,
        None => search.newest().await?,
    };
    let counted = window.hits.len();
    let more = counted > COUNTED || window.range.low > 0;
    let (total, more) = place.map_or((counted.min(COUNTED), more), |p| (p.total, p.more));
    if let Some(place) = place {
        window.hits.retain(|hit| (hit.rank, hit.seq) < (place.rank, place.seq));
    }
    if window.hits.is_empty() && window.range.low > 0 {
        window = search.below(window.range.low).await?;
    }
    // A page ends with its window; the next one begins the next window.
    let follows = window.hits.len() > limit || window.range.low > 0;
    window.hits.truncate(limit);
    Ok(Page { hits: window.hits, range: window.range, follows, total, more })
}

/// The things of these hits as they are shown, until the page is full; and how many hits that took.
async fn show(
    db: &Database,
    reach: &Reach,
    query: Option<&Query>,
    hits: &[Hit],
) -> Result<(Vec<FoundThing>, usize), StoreError> {
    let seqs: Vec<i64> = hits.iter().map(|hit| hit.seq).collect();
    let rows = thing::by_seqs(db, &seqs).await?;
    let mut rows: HashMap<i64, ThingRow> = rows.into_iter().map(|row| (row.seq, row)).collect();
    let mut beginnings: HashMap<i64, String> = text::beginnings(db, &seqs).await?.into_iter().collect();
    let mut references: HashMap<i64, Vec<ShownReference>> = HashMap::new();
    for shown in reference::of_things(db, &seqs, reach, REFERENCES).await? {
        references.entry(shown.thing_seq).or_default().push(shown);
    }
    let mut shown = Vec::new();
    let mut bytes = 0;
    for (at, hit) in hits.iter().enumerate() {
        // A thing that went between the looks is passed over.
        let (Some(row), Some(references)) = (rows.remove(&hit.seq), references.remove(&hit.seq)) else {
            continue;
        };
        let snippet = snippet_of(db, &row, beginnings.remove(&hit.seq), query).await?;
        let thing = found_thing(&row, references, snippet);
        bytes += serde_json::to_string(&thing).map_or(0, |json| json.len());
        if bytes > PAGE_BYTES && !shown.is_empty() {
            return Ok((shown, at));
        }
        shown.push(thing);
    }
    Ok((shown, hits.len()))
}

/// The place of a match may lie far into a long text.
async fn snippet_of(
    db: &Database,
    row: &ThingRow,
    beginning: Option<String>,
    query: Option<&Query>,
) -> Result<Option<String>, StoreError> {
    let Some(beginning) = beginning else { return Ok(None) };
    let long = row.text_length.is_some_and(|length| usize::try_from(length).unwrap_or(0) > text::PART_CHARS);
    if let Some(query) = query.filter(|query| long && !snippet::matches(&beginning, query)) {
        let more = text::parts(db, row.seq, 1, SNIPPET_PARTS).await?;
        if snippet::matches(&more, query) {
            return Ok(Some(snippet::snippet(&more, Some(query))));
        }
    }
    Ok(Some(snippet::snippet(&beginning, query)))
}

fn found_thing(row: &ThingRow, references: Vec<ShownReference>, snippet: Option<String>) -> FoundThing {
    let (key, total) = references.first().map_or(("", 0), |first| (first.key.as_str(), first.total));
    FoundThing {
        id: row.id,
        kind: row.kind,
        title: title::title(row.title.as_deref(), key, row.kind),
        snippet,
        reference_count: total,
        references: references.into_iter().map(FoundReference::from).collect(),
        catalogued_at: row.catalogued_at,
    }
}

impl From<ShownReference> for FoundReference {
    fn from(shown: ShownReference) -> Self {
        Self { resource_id: ResourceId::from_uuid(shown.resource_id), key: shown.key }
    }
}
