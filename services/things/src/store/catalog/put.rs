//! Writing a batch of files in a handful of statements.

use std::collections::HashMap;

use stoa_base::{Ambient, Id};
use stoa_store::{StoreError, Tx};

use super::{Analyzed, Content, Place, content_unit, key_words, reference_source, reference_unit};
use crate::store::index::{Changes, Words, write};
use crate::store::reference::{self, NewReference, Pointed, ReferenceRow};
use crate::store::thing::{self, Departure, Description, Hash, NewThing};
use crate::store::{step, text};

/// A file to be written.
#[derive(Clone, Debug)]
pub struct Put<'a> {
    /// What the reference says.
    pub reference: NewReference<'a>,
    /// What lies there.
    pub content: &'a Content,
}

/// Writes what lies at some keys: things that are new, references, and their places in the index. Answers for
/// each whether it was written: content [`Content::Known`] that was deleted in the meantime has to be read
/// again. To be called in the workspace's turn; afterwards, the index has to be put in order
/// ([`crate::store::index::settle`]).
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn put(
    tx: &mut Tx,
    ambient: &Ambient,
    place: Place,
    files: &[Put<'_>],
) -> Result<Vec<bool>, StoreError> {
    let mut batch = Batch::default();
    let seqs = batch.things(tx, ambient, place, files).await?;
    let written = seqs.iter().map(Option::is_some).collect();
    let keys: Vec<&str> = files.iter().map(|file| file.reference.key).collect();
    let old = reference::at_keys(tx, place.resource, &keys).await?;
    let files = files.iter().zip(seqs).filter_map(|(file, seq)| {
        let key = file.reference.key;
        Some(File { reference: &file.reference, seq: seq?, old: old.get(key) })
    });
    let files: Vec<File<'_>> = files.collect();
    batch.number_units(tx, &files).await?;
    point(tx, ambient, place, &files, &mut batch).await?;
    Ok(written)
}

/// A file whose thing is known.
struct File<'a> {
    reference: &'a NewReference<'a>,
    seq: i64,
    /// What was at its key before.
    old: Option<&'a ReferenceRow>,
}

impl File<'_> {
    /// Whether another thing was at its key, or none.
    fn is_moved(&self) -> bool {
        self.old.is_none_or(|old| old.thing_seq != self.seq)
    }
}

/// What a batch adds to the catalog.
#[derive(Default)]
struct Batch<'a> {
    /// The number that the next reference's unit takes, by thing.
    units: HashMap<i64, i64>,
    /// The contents that are new, with their things.
    added: Vec<(i64, Added<'a>)>,
}

/// A content that is new.
struct Added<'a> {
    hash: Option<&'a Hash>,
    description: &'a Description,
    /// Nothing where it is only named for now.
    analyzed: Option<&'a Analyzed>,
    /// How many files of the batch have it.
    references: i64,
}

impl<'a> Added<'a> {
    /// `None` for one that was catalogued when it was read.
    fn new(content: &'a Content) -> Option<Self> {
        let (hash, description, analyzed) = match content {
            Content::Unread(description) => (None, description, None),
            Content::New(hash, analyzed) => (Some(hash), &analyzed.description, Some(&**analyzed)),
            Content::Known(_) => return None,
        };
        Some(Self { hash, description, analyzed, references: 1 })
    }
}

/// The thing that a file is of: one that is catalogued, or one of the new ones.
#[derive(Clone, Copy)]
enum Target {
    Catalogued(i64),
    Added(usize),
}

impl<'a> Batch<'a> {
    /// The thing of each file, those that are new being added; `None` where the content was deleted meanwhile.
    async fn things(
        &mut self,
        tx: &mut Tx,
        ambient: &Ambient,
        place: Place,
        files: &[Put<'a>],
    ) -> Result<Vec<Option<i64>>, StoreError> {
        let hashes: Vec<&Hash> = files.iter().filter_map(|file| hash_of(file.content)).collect();
        let catalogued = thing::by_contents(tx, place.workspace, &hashes).await?;
        let (targets, added) = targets(files, &catalogued);
        let new = added.iter().map(|Added { hash, description, references, .. }| NewThing {
            id: Id::new(ambient),
            hash: *hash,
            description,
            references: *references,
        });
        let things: Vec<NewThing<'_>> = new.collect();
        let now = thing::instant(tx, place.workspace, ambient.now()).await?;
        let seqs = thing::insert(tx, place.workspace, now, &things).await?;
        let seqs: Vec<Option<i64>> = things.iter().map(|thing| seqs.get(&thing.id.uuid()).copied()).collect();
        self.added = seqs.iter().zip(added).filter_map(|(seq, added)| Some(((*seq)?, added))).collect();
        self.units.extend(self.added.iter().map(|(seq, _)| (*seq, 0)));
        let seq = |target: Option<Target>| match target? {
            Target::Catalogued(seq) => Some(seq),
            Target::Added(number) => *seqs.get(number)?,
        };
        Ok(targets.into_iter().map(seq).collect())
    }

    /// Gives numbers to the units of references to things that were catalogued already. Those that are new are
    /// numbered from 0 on.
    async fn number_units(&mut self, tx: &mut Tx, files: &[File<'_>]) -> Result<(), StoreError> {
        let mut counts: HashMap<i64, i64> = HashMap::new();
        for file in files.iter().filter(|file| file.is_moved() && !self.units.contains_key(&file.seq)) {
            *counts.entry(file.seq).or_default() += 1;
        }
        self.units.extend(thing::refer(tx, &counts).await?);
        Ok(())
    }

    fn next_unit(&mut self, seq: i64) -> i64 {
        let next = self.units.entry(seq).or_default();
        *next += 1;
        *next - 1
    }
}

/// Writes the references, what became of the things that were at their keys, and all that is new.
async fn point(
    tx: &mut Tx,
    ambient: &Ambient,
    place: Place,
    files: &[File<'_>],
    batch: &mut Batch<'_>,
) -> Result<(), StoreError> {
    let words: Vec<Words> = files
        .iter()
        .map(|file| if file.is_moved() { key_words(file.reference.key) } else { Words::default() })
        .collect();
    let (mut index, mut departures) = (Changes::default(), Vec::new());
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    for (file, words) in files.iter().zip(&words) {
        let (reference, seq) = (file.reference, file.seq);
        let unit = match file.old {
            Some(old) if !file.is_moved() => old.unit,
            _ => batch.next_unit(seq),
        };
        let id = file.old.map_or_else(|| Id::new(ambient), |old| old.id);
        let pointed = Pointed { id, reference, seq, unit };
        if file.old.is_some() {
            changed.push(pointed);
        } else {
            new.push(pointed);
        }
        if file.is_moved() {
            index.units.push(reference_unit(place.resource, reference.key, words, seq, unit));
            if let Some(old) = file.old {
                index.dead.push((old.thing_seq, reference_source(old.unit)));
                departures.push(Departure { seq: old.thing_seq, key: reference.key, successor: Some(seq) });
            }
        }
    }
    reference::insert(tx, place.workspace, place.resource, &new).await?;
    reference::update(tx, &changed).await?;
    thing::leave(tx, place.resource, &departures, ambient.now()).await?;
    write_contents(tx, &batch.added, &mut index).await?;
    write::change(tx, place.workspace, &index).await
}

async fn write_contents<'a>(
    tx: &mut Tx,
    added: &[(i64, Added<'a>)],
    changes: &mut Changes<'a>,
) -> Result<(), StoreError> {
    let analyzed: Vec<_> = added.iter().filter_map(|(seq, added)| Some((*seq, added.analyzed?))).collect();
    let texts: Vec<_> =
        analyzed.iter().filter_map(|(seq, analyzed)| Some((*seq, analyzed.text.as_deref()?))).collect();
    text::insert(tx, &texts).await?;
    let steps: Vec<_> =
        analyzed.iter().flat_map(|(seq, analyzed)| analyzed.steps.iter().map(|step| (*seq, step))).collect();
    step::upsert(tx, &steps).await?;
    changes.units.extend(added.iter().map(|(seq, Added { description, analyzed, .. })| {
        let words = analyzed.map_or(&[][..], |analyzed| &analyzed.units);
        content_unit(description, words, *seq, 0)
    }));
    Ok(())
}

/// What each file is of, and the contents to be added, each once.
fn targets<'a>(
    files: &[Put<'a>],
    catalogued: &HashMap<Vec<u8>, i64>,
) -> (Vec<Option<Target>>, Vec<Added<'a>>) {
    let mut all: Vec<Added<'a>> = Vec::new();
    let mut by_hash: HashMap<&Hash, usize> = HashMap::new();
    let mut target = |content: &'a Content| {
        let hash = hash_of(content);
        if let Some(seq) = hash.and_then(|hash| catalogued.get(&hash[..])) {
            return Some(Target::Catalogued(*seq));
        }
        if let Some(number) = hash.and_then(|hash| by_hash.get(hash)) {
            all[*number].references += 1;
            return Some(Target::Added(*number));
        }
        let added = Added::new(content)?;
        by_hash.extend(hash.map(|hash| (hash, all.len())));
        all.push(added);
        Some(Target::Added(all.len() - 1))
    };
    let targets = files.iter().map(|file| target(file.content)).collect();
    (targets, all)
}

const fn hash_of(content: &Content) -> Option<&Hash> {
    match content {
        Content::Unread(_) => None,
        Content::Known(hash) | Content::New(hash, _) => Some(hash),
    }
}
