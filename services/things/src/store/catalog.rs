//! Writing the catalog: listed files become references to things. Everything here happens inside the caller's
//! transaction, so that a killed sync leaves whole batches or nothing of them.

mod put;

use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{StoreError, Tx};

pub use put::{Put, put};

use super::index::facet;
use super::index::{Changes, SHORTEST, Source, Unit, Words, shortness, write};
use super::reference::{self, ReferenceRow};
use super::step::{self, Step};
use super::text;
use super::thing::{self, Departure, Description, Hash, ThingRow};
use crate::model::{ReferenceId, ResourceId};
use crate::text::tokens::tokens;

/// What was found out about a content by reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analyzed {
    /// What it is.
    pub description: Description,
    /// Its extracted text.
    pub text: Option<String>,
    /// How each step went.
    pub steps: Vec<Step>,
    /// What the index learns of the text, unit by unit.
    pub units: Vec<Words>,
}

/// The content at a key.
#[derive(Clone, Debug)]
pub enum Content {
    /// Listed only; to be read later.
    Unread(Description),
    /// Read, and catalogued already.
    Known(Hash),
    /// Read, and new as far as was known when it was read.
    New(Hash, Box<Analyzed>),
}

/// Where files lie.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// The resource.
    pub resource: ResourceId,
}

/// What a locator key says: the file name as title, and the whole key.
fn key_words(key: &str) -> Words {
    let name = key.rsplit('/').next().unwrap_or(key);
    Words { title: tokens(name).join(" "), path: tokens(key).join(" "), ..Words::default() }
}

/// A reference as the index knows it; `words` are those of its key.
fn reference_unit<'a>(resource: ResourceId, key: &str, words: &'a Words, seq: i64, number: i64) -> Unit<'a> {
    let mut facets: Vec<String> = facet::folders(key).collect();
    facets.push(facet::resource(resource));
    Unit { seq, source: reference_source(number), shortness: SHORTEST, parts: vec![words], facets }
}

/// A content as the index knows it.
fn content_unit<'a>(description: &Description, words: &'a [Words], seq: i64, number: i64) -> Unit<'a> {
    Unit {
        seq,
        source: content_source(number),
        shortness: shortness(description.text_length.unwrap_or(0)),
        parts: words.iter().collect(),
        facets: vec![facet::kind(description.kind)],
    }
}

/// The numbers of units are counted from 0 and never come near the end of what the index takes.
fn reference_source(number: i64) -> Source {
    Source::reference(u32::try_from(number).unwrap_or(u32::MAX))
}

fn content_source(number: i64) -> Source {
    Source::content(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Makes the index anew from what is stored: one batch of things with their texts' words.
pub(crate) async fn index_contents(
    tx: &mut Tx,
    workspace: WorkspaceId,
    things: &[(ThingRow, Vec<Words>)],
) -> Result<(), StoreError> {
    let units = things.iter().map(|(thing, words)| {
        let description = Description {
            kind: thing.kind,
            mime: String::new(),
            size: thing.size,
            title: None,
            text_length: thing.text_length,
        };
        content_unit(&description, words, thing.seq, thing.text_unit)
    });
    write::change(tx, workspace, &Changes { units: units.collect(), dead: Vec::new() }).await
}

/// Likewise one batch of references: (resource, key, thing, number of the unit).
pub(crate) async fn index_references(
    tx: &mut Tx,
    workspace: WorkspaceId,
    references: &[(ResourceId, String, i64, i64)],
) -> Result<(), StoreError> {
    let words: Vec<Words> = references.iter().map(|(_, key, ..)| key_words(key)).collect();
    let units = references
        .iter()
        .zip(&words)
        .map(|((resource, key, seq, unit), words)| reference_unit(*resource, key, words, *seq, *unit));
    write::change(tx, workspace, &Changes { units: units.collect(), dead: Vec::new() }).await
}

/// Removes references that their resource no longer has.
pub(crate) async fn remove(
    tx: &mut Tx,
    place: Place,
    gone: &[ReferenceRow],
    now: Timestamp,
) -> Result<(), StoreError> {
    let ids: Vec<ReferenceId> = gone.iter().map(|row| row.id).collect();
    reference::delete(tx, &ids).await?;
    let departures: Vec<Departure<'_>> =
        gone.iter().map(|row| Departure { seq: row.thing_seq, key: &row.key, successor: None }).collect();
    thing::leave(tx, place.resource, &departures, now).await?;
    let dead = gone.iter().map(|row| (row.thing_seq, reference_source(row.unit)));
    write::change(tx, place.workspace, &Changes { units: Vec::new(), dead: dead.collect() }).await
}

/// Writes what reading a provisional thing found out. Where the same content is catalogued already, the two
/// are merged into the older one, and the id of the other stays valid as an alias.
pub(crate) async fn identify(
    tx: &mut Tx,
    workspace: WorkspaceId,
    seq: i64,
    hash: &Hash,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    let twin = thing::by_contents(tx, workspace, &[hash]).await?.into_values().next();
    match twin {
        Some(older) if older < seq => return merge(tx, seq, older).await,
        // Somebody else has read it meanwhile.
        Some(itself) if itself == seq => return analyze_again(tx, workspace, seq, analyzed).await,
        Some(younger) => merge(tx, younger, seq).await?,
        None => (),
    }
    thing::identify(tx, seq, hash, &analyzed.description).await?;
    write_analysis(tx, workspace, seq, analyzed).await
}

/// Replaces everything that analysis once found out about a thing.
pub(crate) async fn analyze_again(
    tx: &mut Tx,
    workspace: WorkspaceId,
    seq: i64,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    text::delete(tx, seq).await?;
    thing::describe(tx, seq, &analyzed.description).await?;
    write_analysis(tx, workspace, seq, analyzed).await
}

/// Writes an analysis of a thing that is catalogued: its content gets another unit in the index.
async fn write_analysis(
    tx: &mut Tx,
    workspace: WorkspaceId,
    seq: i64,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    let texts: Vec<(i64, &str)> = analyzed.text.iter().map(|text| (seq, text.as_str())).collect();
    text::insert(tx, &texts).await?;
    let steps: Vec<(i64, &Step)> = analyzed.steps.iter().map(|step| (seq, step)).collect();
    step::upsert(tx, &steps).await?;
    let before = thing::next_text_unit(tx, seq).await?;
    let unit = content_unit(&analyzed.description, &analyzed.units, seq, before + 1);
    let changes = Changes { units: vec![unit], dead: vec![(seq, content_source(before))] };
    write::change(tx, workspace, &changes).await
}

/// Moves everything from one thing to another of the same content.
async fn merge(tx: &mut Tx, loser: i64, winner: i64) -> Result<(), StoreError> {
    let Some(row) = thing::by_seq(tx, loser).await? else {
        return Ok(());
    };
    let moved = reference::all_of_thing(tx, loser).await?;
    // One that nothing refers to brings nobody back who is gone.
    let count = i64::try_from(moved.len()).ok().filter(|count| *count > 0);
    let counts = count.map(|count| (winner, count)).into_iter().collect();
    let first = thing::refer(tx, &counts).await?.remove(&winner).unwrap_or(0);
    let words: Vec<Words> = moved.iter().map(|reference| key_words(&reference.key)).collect();
    let mut changes = Changes { units: Vec::new(), dead: vec![(loser, content_source(row.text_unit))] };
    for ((unit, reference), words) in (first..).zip(&moved).zip(&words) {
        reference::repoint(tx, reference.id, winner, unit).await?;
        changes.units.push(reference_unit(reference.resource, &reference.key, words, winner, unit));
        changes.dead.push((loser, reference_source(reference.unit)));
    }
    write::change(tx, row.workspace, &changes).await?;
    thing::replace(tx, &row, winner).await
}

/// Deletes up to `limit` things of the workspace that have been gone since before `before`, with their text and
/// their place in the index. Answers how many; fewer than `limit` means that none is left.
pub(crate) async fn forget(
    tx: &mut Tx,
    workspace: WorkspaceId,
    before: Timestamp,
    limit: i64,
) -> Result<usize, StoreError> {
    let forgotten = thing::forget(tx, workspace, before, limit).await?;
    let dead = forgotten.iter().map(|(seq, unit)| (*seq, content_source(*unit)));
    write::change(tx, workspace, &Changes { units: Vec::new(), dead: dead.collect() }).await?;
    Ok(forgotten.len())
}
