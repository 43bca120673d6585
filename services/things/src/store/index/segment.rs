//! Making a segment: from what one transaction adds.

use std::collections::HashMap;

use super::block::{BLOCK_BYTES, Block, Packer, Stream};
use super::facet::DEAD;
use super::posting::{BODY, Entry, Run, Source, mark, write_positions};
use super::{Changes, Unit};

/// How far apart the texts of a unit's parts begin: farther than any part is long, so that no phrase reaches
/// from one into the next.
const PART_POSITIONS: u32 = 1 << 14;

/// A segment on its way into the database.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
    /// How many units it adds.
    pub units: usize,
    /// How many units it says are no more.
    pub dead: usize,
}

impl Segment {
    /// The oldest and the newest thing in it; `None` where nothing is.
    #[must_use]
    pub fn range(&self) -> Option<(i64, i64)> {
        let low = self.blocks.iter().map(|block| block.low).min()?;
        Some((low, self.blocks.iter().map(|block| block.high).max()?))
    }

    /// How large its blocks are together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.body.len()).sum()
    }
}

/// Where a word stands: the unit's place in the list, the position if it has one, and the bits of [`mark`].
#[derive(Clone, Copy)]
struct Occurrence {
    unit: u32,
    position: Option<u32>,
    mark: u8,
}

type Occurrences<'a> = HashMap<&'a str, Vec<Occurrence>>;

/// The segment that makes these changes.
#[must_use]
pub fn build(changes: &Changes<'_>) -> Segment {
    let mut units: Vec<&Unit<'_>> = changes.units.iter().collect();
    units.sort_unstable_by_key(|unit| (unit.seq, unit.source));
    let mut occurrences = HashMap::new();
    for (number, unit) in (0..).zip(&units) {
        note(&mut occurrences, number, unit);
    }
    let mut words: Vec<_> = occurrences.into_iter().collect();
    words.sort_unstable_by_key(|(word, _)| *word);
    let mut writer = Writer::new(changes.units.len(), changes.dead.len());
    let mut tails = Tails::default();
    let mut dead = Some(dead(&changes.dead)).filter(|dead| !dead.is_empty());
    for (word, occurrences) in words {
        if let Some(dead) = dead.take_if(|_| DEAD < word) {
            writer.add(Stream::Units, DEAD, dead);
        }
        add_word(&mut writer, &mut tails, word, &units, &occurrences);
    }
    if let Some(dead) = dead {
        writer.add(Stream::Units, DEAD, dead);
    }
    writer.finish()
}

fn dead(units: &[(i64, Source)]) -> Vec<Entry<'static>> {
    let mut all = units.to_vec();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|(seq, source)| Entry { seq, source, tail: &[0] }).collect()
}

/// Notes every word of a unit, in the order of the positions.
fn note<'a>(occurrences: &mut Occurrences<'a>, number: u32, unit: &'a Unit<'_>) {
    let mut say = |word: &'a str, position, mark| {
        let mark = mark | unit.shortness;
        occurrences.entry(word).or_default().push(Occurrence { unit: number, position, mark });
    };
    unit.facets.iter().for_each(|facet| say(facet, None, 0));
    for words in &unit.parts {
        for (position, word) in (0..BODY).zip(words.title.split_ascii_whitespace()) {
            say(word, Some(position), mark::TITLE);
        }
        words.chief.split_ascii_whitespace().for_each(|word| say(word, None, mark::CHIEF));
    }
    for (part, words) in (0..).zip(&unit.parts) {
        let first = BODY + part * PART_POSITIONS;
        for (position, word) in (first..).zip(words.path.split_ascii_whitespace()) {
            say(word, Some(position), mark::PATH);
        }
        for (position, word) in (first..).zip(words.body.split_ascii_whitespace()) {
            say(word, Some(position), mark::BODY);
        }
    }
}

/// The tails of a word's entries, one after the other.
#[derive(Default)]
struct Tails {
    bytes: Vec<u8>,
    positions: Vec<u32>,
}

/// Adds a word to both streams.
fn add_word(
    writer: &mut Writer,
    tails: &mut Tails,
    word: &str,
    units: &[&Unit<'_>],
    occurrences: &[Occurrence],
) {
    tails.bytes.clear();
    // Of each unit: where its tail begins, where it ends, and whether there are positions.
    let mut ends = Vec::new();
    for all in occurrences.chunk_by(|one, other| one.unit == other.unit) {
        let Some(unit) = all.first().and_then(|first| units.get(usize::try_from(first.unit).ok()?)) else {
            continue;
        };
        let start = tails.bytes.len();
        tails.bytes.push(all.iter().fold(0, |mark, one| mark | one.mark));
        tails.positions.clear();
        tails.positions.extend(all.iter().filter_map(|one| one.position));
        write_positions(&mut tails.bytes, &tails.positions);
        ends.push((unit, start, tails.bytes.len(), !tails.positions.is_empty()));
    }
    let entry = |unit: &Unit<'_>, tail| Entry { seq: unit.seq, source: unit.source, tail };
    let marks = ends.iter().map(|(unit, start, ..)| entry(unit, &tails.bytes[*start..=*start]));
    writer.add(Stream::Units, word, marks);
    let placed = ends.iter().filter(|(.., has_positions)| *has_positions);
    let placed = placed.map(|(unit, start, end, _)| entry(unit, &tails.bytes[*start..*end]));
    writer.add(Stream::Positions, word, placed);
}

/// Writes both streams of a segment, words in ascending order.
pub(super) struct Writer {
    units: Packer,
    positions: Packer,
    segment: Segment,
}

impl Writer {
    pub(super) fn new(units: usize, dead: usize) -> Self {
        let segment = Segment { units, dead, blocks: Vec::new() };
        Self { units: Packer::new(Stream::Units), positions: Packer::new(Stream::Positions), segment }
    }

    /// Adds a word with its entries, by (thing, source), cut into runs of a block's size.
    pub(super) fn add<'a>(
        &mut self,
        stream: Stream,
        word: &str,
        entries: impl IntoIterator<Item = Entry<'a>>,
    ) {
        let mut runs: Vec<Run> = Vec::new();
        for entry in entries {
            match runs.last_mut() {
                Some(run) if run.bytes.len() < BLOCK_BYTES => run.push(&entry),
                _ => {
                    let mut run = Run::default();
                    run.push(&entry);
                    runs.push(run);
                }
            }
        }
        let packer = match stream {
            Stream::Units => &mut self.units,
            Stream::Positions => &mut self.positions,
        };
        if !runs.is_empty() {
            packer.add(word, &runs);
        }
    }

    pub(super) fn finish(mut self) -> Segment {
        self.segment.blocks = self.units.finish();
        self.segment.blocks.extend(self.positions.finish());
        self.segment
    }
}
