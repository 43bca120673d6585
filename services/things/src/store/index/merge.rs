//! Merging segments, so that a word is looked up in few of them however many transactions there were.
//!
//! Segments are in classes by size, each eight times as large as the one before. Eight of a class become one
//! of the next, up to [`LARGEST`]; so a posting is written a few times in its life, and a merge never holds up
//! other writers for long: it is made ready beside them, and only its blocks are written in the transaction.
//!
//! Dead units that are met in a merge are left out, with the marks that said so. Where the marks have become
//! many all the same, since what they are about lies in large segments, those are written anew without them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stoa_base::{Ambient, WorkspaceId};
use stoa_store::{Database, StoreError};
use tokio::task::spawn_blocking;

use super::block::{Stream, words};
use super::posting::{Entry, Source, entries, postings};
use super::read::{Reader, SegmentRow, all_blocks, segments};
use super::segment::{Segment, Writer};
use super::{DEAD, facet, write};
use crate::store::turn;

/// How many segments of a class there are when they are merged.
const FAN: usize = 8;
/// Segments below this size are all of the lowest class.
const SMALLEST: i64 = 16 * 1024;
/// The size that no merge exceeds, in bytes.
const LARGEST: i64 = 16 * 1024 * 1024;
/// So many marks of dead units are nothing to care about.
const FEW_DEAD: i64 = 2_000;
/// Nor is so much that they may take, in bytes.
const FEW_DEAD_BYTES: i64 = 64 * 1024 * 1024;
/// How long a reader may take.
const READERS: Duration = Duration::from_secs(30);

type Unit = (i64, Source);

/// Merges what should be merged in the workspace's index. To be called after what was added to it is
/// committed; does nothing as a rule. Where it can't, a later one will: what was added stands.
pub async fn settle(db: &Database, ambient: &Ambient, workspace: WorkspaceId) {
    if let Err(error) = try_settle(db, ambient, workspace).await {
        tracing::warn!(%workspace, %error, "the index of things could not be put in order now");
    }
}

async fn try_settle(db: &Database, ambient: &Ambient, workspace: WorkspaceId) -> Result<(), StoreError> {
    loop {
        let all = segments(db, workspace).await?;
        if let Some(some) = crowded(&all) {
            let merged = merge(db, &some, Arc::default(), Arc::default()).await?;
            put(db, ambient, workspace, &some, &merged).await?;
        } else if has_many_dead(&all) {
            return bury(db, ambient, workspace).await;
        } else {
            return Ok(());
        }
    }
}

/// Deletes the segments of all workspaces that were replaced and that nobody reads any more. A merge deletes
/// some of its own workspace, so that only the last are left to this.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn delete_replaced(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let before = ambient.now().minus(READERS);
    for workspace in write::with_replaced(db, before).await? {
        let mut is_left = true;
        while is_left {
            let mut tx = db.begin().await?;
            is_left = write::delete_replaced(&mut tx, workspace, before).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// The size class.
fn class(segment: &SegmentRow) -> u32 {
    (segment.bytes / SMALLEST).checked_ilog2().map_or(0, |doublings| doublings / FAN.ilog2() + 1)
}

/// The oldest segments of a class in which there are too many.
fn crowded(all: &[SegmentRow]) -> Option<Vec<SegmentRow>> {
    let mut classes: BTreeMap<u32, Vec<&SegmentRow>> = BTreeMap::new();
    for segment in all.iter().filter(|segment| segment.bytes <= LARGEST / 2) {
        classes.entry(class(segment)).or_default().push(segment);
    }
    let crowd = classes.into_values().find(|class| class.len() >= FAN)?;
    let mut bytes = 0;
    let fitting = crowd.into_iter().take(FAN).take_while(|segment| {
        bytes += segment.bytes;
        bytes <= LARGEST
    });
    Some(fitting.cloned().collect())
}

fn has_many_dead(all: &[SegmentRow]) -> bool {
    let (units, dead) = all.iter().fold((0, 0), |(units, dead), one| (units + one.units, dead + one.dead));
    let bytes: i64 = all.iter().map(|segment| segment.bytes).sum();
    let most = most_dead_bytes(all, dead);
    dead > FEW_DEAD && dead > units / 8 || most > FEW_DEAD_BYTES && most > bytes / 2
}

/// How much so many dead units take at most: as if they were the largest of all.
fn most_dead_bytes(all: &[SegmentRow], mut dead: i64) -> i64 {
    let mut largest: Vec<_> = all.iter().map(|one| (one.bytes / one.units.max(1), one.units)).collect();
    largest.sort_unstable_by_key(|(bytes, _)| Reverse(*bytes));
    let taken = largest.into_iter().map(|(bytes, units)| {
        let some = units.min(dead);
        dead -= some;
        bytes.saturating_mul(some)
    });
    taken.fold(0, i64::saturating_add)
}

/// Writes every segment anew that holds dead units or marks of them.
async fn bury(db: &Database, ambient: &Ambient, workspace: WorkspaceId) -> Result<(), StoreError> {
    let reader = Reader::open(db, workspace).await?;
    let dead = Arc::new(reader.all_dead().await?);
    // First the units, and only when none is left the marks: in between, a mark is about nothing.
    for segment in reader.segments().iter().filter(|segment| overlaps(segment, &dead)) {
        let some = std::slice::from_ref(segment);
        let without = merge(db, some, Arc::clone(&dead), Arc::default()).await?;
        // Whoever was faster may have kept units that this reader knows to be dead: their marks must stay, until
        // it is done again.
        if !put(db, ambient, workspace, some, &without).await? {
            return Ok(());
        }
    }
    for segment in segments(db, workspace).await?.iter().filter(|segment| segment.dead > 0) {
        let some = std::slice::from_ref(segment);
        let without = merge(db, some, Arc::default(), Arc::clone(&dead)).await?;
        put(db, ambient, workspace, some, &without).await?;
    }
    Ok(())
}

fn overlaps(segment: &SegmentRow, dead: &HashSet<Unit>) -> bool {
    dead.iter().any(|(seq, _)| (segment.low..=segment.high).contains(seq))
}

/// One segment that says what these say, without the units that are `dead` here or by one of their own marks,
/// and without the marks of those that are `buried`.
async fn merge(
    db: &Database,
    some: &[SegmentRow],
    dead: Arc<HashSet<Unit>>,
    buried: Arc<HashSet<Unit>>,
) -> Result<Segment, StoreError> {
    let mut blocks = Vec::new();
    for segment in some {
        blocks.push(all_blocks(db, segment.id).await?);
    }
    let merged = spawn_blocking(move || merged(&blocks, &dead, &buried)).await;
    merged.map_err(|died| StoreError::Unreadable { what: "segment", detail: died.to_string() })
}

/// A word's runs of both streams.
#[derive(Default)]
struct Runs<'a> {
    units: Vec<&'a [u8]>,
    positions: Vec<&'a [u8]>,
}

fn merged(segments: &[Vec<(i64, Vec<u8>)>], dead: &HashSet<Unit>, buried: &HashSet<Unit>) -> Segment {
    let mut by_word: BTreeMap<&str, Runs<'_>> = BTreeMap::new();
    for (stream, body) in segments.iter().flatten() {
        for (word, run) in words(body) {
            let runs = by_word.entry(word).or_default();
            if *stream == Stream::Units.number() { runs.units.push(run) } else { runs.positions.push(run) }
        }
    }
    let marks: HashSet<Unit> = by_word.get(DEAD).map(units).unwrap_or_default();
    let all: HashSet<Unit> = by_word
        .iter()
        .filter(|(word, _)| facet::is_of_each_unit(word))
        .flat_map(|(_, runs)| units(runs))
        .collect();
    let is_dead = |unit: &Unit| dead.contains(unit) || marks.contains(unit);
    let left = all.iter().filter(|unit| !is_dead(unit)).count();
    // A mark whose unit is left out here has nothing more to say.
    let is_done = |unit: &Unit| all.contains(unit) || buried.contains(unit);
    let mut writer = Writer::new(left, marks.iter().filter(|unit| !is_done(unit)).count());
    for (word, runs) in by_word {
        let is_kept = |unit: &Unit| if word == DEAD { !is_done(unit) } else { !is_dead(unit) };
        for (stream, runs) in [(Stream::Units, &runs.units), (Stream::Positions, &runs.positions)] {
            let entries = runs.iter().flat_map(|run| entries(run, stream == Stream::Positions));
            let mut kept: Vec<Entry<'_>> =
                entries.filter(|entry| is_kept(&(entry.seq, entry.source))).collect();
            kept.sort_by_key(|entry| (entry.seq, entry.source));
            writer.add(stream, word, kept);
        }
    }
    writer.finish()
}

fn units(runs: &Runs<'_>) -> HashSet<Unit> {
    runs.units.iter().flat_map(|run| postings(run)).map(|posting| (posting.seq, posting.source)).collect()
}

/// Puts a segment into the place of others, unless somebody was faster; answers whether it did.
async fn put(
    db: &Database,
    ambient: &Ambient,
    workspace: WorkspaceId,
    some: &[SegmentRow],
    merged: &Segment,
) -> Result<bool, StoreError> {
    let ids: Vec<i64> = some.iter().map(|segment| segment.id).collect();
    let mut tx = db.begin().await?;
    turn::take(&mut tx, workspace).await?;
    let now = ambient.now();
    if write::replace(&mut tx, &ids, now).await? != ids.len() {
        tx.rollback().await?;
        return Ok(false);
    }
    write::insert(&mut tx, workspace, merged).await?;
    write::delete_replaced(&mut tx, workspace, now.minus(READERS)).await?;
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::index::segment::build;
    use crate::store::index::{Changes, SHORTEST, Words};

    /// A unit that says one of a few words, of one of a few things.
    #[derive(Clone, Debug)]
    struct Said {
        seq: i64,
        number: u32,
        words: Words,
    }

    fn segment(units: &[Said], dead: &[Unit]) -> Vec<(i64, Vec<u8>)> {
        let units = units.iter().map(|said| crate::store::index::Unit {
            seq: said.seq,
            source: Source::content(said.number),
            shortness: SHORTEST,
            parts: vec![&said.words],
            facets: vec![":kind/other".to_owned()],
        });
        blocks(build(&Changes { units: units.collect(), dead: dead.to_vec() }))
    }

    fn blocks(segment: Segment) -> Vec<(i64, Vec<u8>)> {
        segment.blocks.into_iter().map(|block| (block.stream.number(), block.body)).collect()
    }

    /// Everything that blocks say, word by word.
    fn all(blocks: &[(i64, Vec<u8>)]) -> BTreeMap<(i64, &str), Vec<Entry<'_>>> {
        let mut said: BTreeMap<(i64, &str), Vec<Entry<'_>>> = BTreeMap::new();
        for (stream, body) in blocks {
            for (word, run) in words(body) {
                said.entry((*stream, word)).or_default().extend(entries(run, *stream == 1));
            }
        }
        said
    }

    fn said() -> impl Strategy<Value = Vec<Said>> {
        let text = prop::collection::vec("[a-c]", 0..6).prop_map(|words| words.join(" "));
        let unit = (0_i64..5, text.clone(), text);
        prop::collection::vec(unit, 0..20).prop_map(|units| {
            let units = (0_u32..).zip(units).map(|(number, (seq, title, body))| Said {
                seq,
                number,
                words: Words { title, body, ..Words::default() },
            });
            units.collect()
        })
    }

    proptest! {
        #[test]
        fn a_merge_says_what_its_segments_say_of_units_that_live(units in said(), dying in any::<u32>(), cuts in 1_usize..5) {
            let key = |said: &Said| (said.seq, Source::content(said.number));
            let (dead, living): (Vec<Said>, Vec<Said>) =
                units.iter().cloned().partition(|said| dying >> (said.number % 32) & 1 == 1);
            let elsewhere = (9, Source::content(0));
            let marks: Vec<Unit> = dead.iter().map(key).chain([elsewhere]).collect();
            let mut segments: Vec<_> = units.chunks(units.len().div_ceil(cuts).max(1)).map(|some| segment(some, &[])).collect();
            segments.push(segment(&[], &marks));
            let merged = merged(&segments, &HashSet::new(), &HashSet::new());
            prop_assert_eq!((merged.units, merged.dead), (living.len(), 1));
            // Only the mark of a unit that was not met is left.
            let (merged, expected) = (blocks(merged), segment(&living, &[elsewhere]));
            prop_assert_eq!(all(&merged), all(&expected));
        }
    }

    fn row(id: i64, bytes: i64) -> SegmentRow {
        SegmentRow { id, low: 0, high: 0, units: 1, dead: 0, bytes }
    }

    #[test]
    fn a_few_dead_units_are_many_where_they_may_be_most_of_the_index() {
        let large = |id| SegmentRow { units: 2, ..row(id, 12 << 20) };
        let mut all: Vec<_> = (0..8).map(large).collect();
        all.push(SegmentRow { units: 100_000, ..row(9, 20 << 20) });
        assert!(!has_many_dead(&all));
        all.push(SegmentRow { units: 0, dead: 9, ..row(10, 100) });
        assert!(!has_many_dead(&all), "less than half of it");
        all.push(SegmentRow { units: 0, dead: 2, ..row(11, 100) });
        assert!(has_many_dead(&all));
        let small = [SegmentRow { dead: FEW_DEAD, units: 1_000_000, ..row(0, 512 << 20) }];
        assert!(!has_many_dead(&small));
    }

    #[test]
    fn eight_segments_of_a_size_are_merged_and_large_ones_never() {
        let small: Vec<_> = (0..7).map(|id| row(id, 1_000)).collect();
        assert!(crowded(&small).is_none());
        let larger = (7..14).map(|id| row(id, 200_000));
        let mut all: Vec<_> = small.into_iter().chain(larger).collect();
        assert!(crowded(&all).is_none());
        all.push(row(14, 300_000));
        assert_eq!(
            crowded(&all).unwrap().iter().map(|row| row.id).collect::<Vec<_>>(),
            [7, 8, 9, 10, 11, 12, 13, 14]
        );
        let large: Vec<_> = (0..20).map(|id| row(id, LARGEST / 2 + 1)).collect();
        assert!(crowded(&large).is_none());
        let half: Vec<_> = (0..9).map(|id| row(id, LARGEST / 3)).collect();
        assert_eq!(crowded(&half).unwrap().len(), 3);
    }
}
