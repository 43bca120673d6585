//! Writing the catalog: a listed file becomes a reference to a thing. Everything here happens inside the
//! caller's transaction, so that a killed sync leaves whole files or nothing of them.

use stoa_base::{Ambient, Id, Timestamp};
use stoa_store::{StoreError, Tx};

use super::index::{self, FIRST_REFERENCE_UNIT, UNITS_PER_THING, Words, unit_id};
use super::reference::{self, NewReference, ReferenceRow};
use super::step::{self, Step};
use super::text;
use super::thing::{self, Departure, Description, Hash};
use crate::model::ResourceId;
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

/// Writes what lies at a key: its thing if it is new, the reference, and the reference's place in the index.
///
/// Content [`Content::Known`] that was deleted in the meantime answers `false`: it has to be read again.
pub(crate) async fn put(
    tx: &mut Tx,
    ambient: &Ambient,
    reference: &NewReference<'_>,
    content: &Content,
) -> Result<bool, StoreError> {
    let Some(seq) = thing_of(tx, ambient, reference, content).await? else {
        return Ok(false);
    };
    match reference::at_key(tx, reference.resource, reference.key).await? {
        None => add_reference(tx, ambient, reference, seq).await?,
        Some(old) => change_reference(tx, ambient, reference, &old, seq).await?,
    }
    Ok(true)
}

async fn thing_of(
    tx: &mut Tx,
    ambient: &Ambient,
    reference: &NewReference<'_>,
    content: &Content,
) -> Result<Option<i64>, StoreError> {
    let (hash, description) = match content {
        Content::Unread(description) => (None, description),
        Content::Known(hash) => return thing::by_content(tx, reference.workspace, hash).await,
        Content::New(hash, analyzed) => (Some(hash), &analyzed.description),
    };
    let added =
        thing::insert(tx, Id::new(ambient), reference.workspace, hash, description, ambient.now()).await?;
    match (added, content) {
        (Some(seq), Content::New(_, analyzed)) => {
            write_analysis(tx, reference, seq, analyzed).await?;
            Ok(Some(seq))
        }
        (None, Content::New(hash, _)) => thing::by_content(tx, reference.workspace, hash).await,
        (added, _) => Ok(added),
    }
}

async fn write_analysis(
    tx: &mut Tx,
    reference: &NewReference<'_>,
    seq: i64,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    if let Some(body) = &analyzed.text {
        text::insert(tx, seq, body).await?;
    }
    for result in &analyzed.steps {
        step::upsert(tx, seq, result).await?;
    }
    for (number, words) in (0..FIRST_REFERENCE_UNIT).zip(&analyzed.units) {
        index::insert(tx, reference.workspace, None, unit_id(seq, number), words).await?;
    }
    Ok(())
}

async fn add_reference(
    tx: &mut Tx,
    ambient: &Ambient,
    reference: &NewReference<'_>,
    seq: i64,
) -> Result<(), StoreError> {
    let unit = add_unit(tx, reference, seq).await?;
    reference::insert(tx, Id::new(ambient), reference, seq, unit).await
}

async fn change_reference(
    tx: &mut Tx,
    ambient: &Ambient,
    reference: &NewReference<'_>,
    old: &ReferenceRow,
    seq: i64,
) -> Result<(), StoreError> {
    let mut unit = old.unit;
    if old.thing_seq != seq {
        index::delete(tx, old.unit, old.unit + 1).await?;
        unit = add_unit(tx, reference, seq).await?;
    }
    reference::update(tx, old.id, seq, unit, reference.size, reference.modified_at).await?;
    if old.thing_seq != seq {
        let departure = Departure { resource: reference.resource, key: reference.key, successor: Some(seq) };
        leave(tx, old.thing_seq, departure, ambient.now()).await?;
    }
    Ok(())
}

/// Gives a reference its place in the index: the file name as title, and the whole key.
async fn add_unit(tx: &mut Tx, reference: &NewReference<'_>, seq: i64) -> Result<i64, StoreError> {
    let unit = unit_id(seq, thing::refer(tx, seq).await?);
    index::insert(tx, reference.workspace, Some(reference.resource), unit, &key_words(reference.key)).await?;
    Ok(unit)
}

/// What a locator key says.
pub(super) fn key_words(key: &str) -> Words {
    let name = key.rsplit('/').next().unwrap_or(key);
    Words { title: tokens(name).join(" "), path: tokens(key).join(" "), ..Words::default() }
}

/// A reference left the thing: without another one it is gone. The lock comes before the look, or a sync of
/// another resource could add a reference between the two.
async fn leave(tx: &mut Tx, seq: i64, departure: Departure<'_>, now: Timestamp) -> Result<(), StoreError> {
    thing::lock(tx, seq).await?;
    if reference::any_of_thing(tx, seq).await? {
        return Ok(());
    }
    thing::gone(tx, seq, departure, now).await
}

/// Removes a reference that its resource no longer has.
pub(crate) async fn remove(
    tx: &mut Tx,
    resource: ResourceId,
    gone: &ReferenceRow,
    now: Timestamp,
) -> Result<(), StoreError> {
    index::delete(tx, gone.unit, gone.unit + 1).await?;
    reference::delete(tx, gone.id).await?;
    leave(tx, gone.thing_seq, Departure { resource, key: &gone.key, successor: None }, now).await
}

/// Writes what reading a provisional thing found out. Where the same content is catalogued already, the two
/// are merged into the older one, and the id of the other stays valid as an alias.
pub(crate) async fn identify(
    tx: &mut Tx,
    reference: &NewReference<'_>,
    seq: i64,
    hash: &Hash,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    let twin = thing::by_content(tx, reference.workspace, hash).await?;
    if let Some(older) = twin.filter(|twin| *twin < seq) {
        return merge(tx, reference, seq, older).await;
    }
    if let Some(younger) = twin {
        merge(tx, reference, younger, seq).await?;
    }
    thing::identify(tx, seq, hash, &analyzed.description).await?;
    write_analysis(tx, reference, seq, analyzed).await
}

/// Replaces everything that analysis once found out about a thing.
pub(crate) async fn analyze_again(
    tx: &mut Tx,
    reference: &NewReference<'_>,
    seq: i64,
    analyzed: &Analyzed,
) -> Result<(), StoreError> {
    index::delete(tx, unit_id(seq, 0), unit_id(seq, FIRST_REFERENCE_UNIT)).await?;
    text::delete(tx, seq).await?;
    thing::describe(tx, seq, &analyzed.description).await?;
    write_analysis(tx, reference, seq, analyzed).await
}

async fn merge(tx: &mut Tx, at: &NewReference<'_>, loser: i64, winner: i64) -> Result<(), StoreError> {
    let Some(row) = thing::by_seq(tx, loser).await? else {
        return Ok(());
    };
    for (id, resource, key) in reference::all_of_thing(tx, loser).await? {
        let moved = NewReference { resource, key: &key, ..at.clone() };
        let unit = add_unit(tx, &moved, winner).await?;
        reference::repoint(tx, id, winner, unit).await?;
    }
    index::delete(tx, loser * UNITS_PER_THING, (loser + 1) * UNITS_PER_THING).await?;
    thing::replace(tx, &row, winner).await
}

/// Deletes things that have been gone since before `before`, with their text and their place in the index.
/// Answers how many; fewer than `limit` means that none is left.
pub(crate) async fn forget(tx: &mut Tx, before: Timestamp, limit: i64) -> Result<usize, StoreError> {
    let seqs = thing::long_gone(tx, before, limit).await?;
    for seq in &seqs {
        index::delete(tx, seq * UNITS_PER_THING, (seq + 1) * UNITS_PER_THING).await?;
        thing::delete(tx, *seq).await?;
    }
    Ok(seqs.len())
}
