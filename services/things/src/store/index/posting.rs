//! Postings: in which units a word stands, packed into runs of bytes.
//!
//! A run is a sequence of postings by (thing, source). Numbers are written in seven bits a byte, the low ones
//! first, as the distance from the one before: a word that stands everywhere takes three bytes a unit.

use std::ops::Range;

/// Which of a thing's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source(u32);

impl Source {
    /// The content as it was analyzed for the `number`th time.
    #[must_use]
    pub const fn content(number: u32) -> Self {
        Self(number << 1)
    }

    /// The `number`th reference.
    #[must_use]
    pub const fn reference(number: u32) -> Self {
        Self(number << 1 | 1)
    }

    /// Whether it is a reference.
    #[must_use]
    pub const fn is_reference(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Where in a unit a word stands, as bits of [`Posting::mark`]. The lower four bits say how short the unit is.
pub mod mark {
    /// In the title or the file name.
    pub const TITLE: u8 = 0x10;
    /// In the path.
    pub const PATH: u8 = 0x20;
    /// Among the chief words.
    pub const CHIEF: u8 = 0x40;
    /// In the text.
    pub const BODY: u8 = 0x80;
    /// How short the unit is.
    pub const SHORTNESS: u8 = 0x0F;
}

/// A word stands in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The thing.
    pub seq: i64,
    /// Which of its units.
    pub source: Source,
    /// Where in it: see [`mark`].
    pub mark: u8,
}

/// The position at which the path or the text begins; before it are those of the title or the file name.
pub const BODY: u32 = 1 << 12;

/// Postings with the positions of the word. The positions of all stand in one list: a word that stands everywhere
/// would otherwise need as many lists as there are units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placements {
    /// Each posting, with its positions' place in the list.
    postings: Vec<(Posting, Range<usize>)>,
    positions: Vec<u32>,
}

impl Placements {
    /// Adds a posting with positions, ascending: from [`BODY`] on those of the text, below those of the title.
    pub fn push(&mut self, posting: Posting, positions: impl IntoIterator<Item = u32>) {
        let start = self.positions.len();
        self.positions.extend(positions);
        self.postings.push((posting, start..self.positions.len()));
    }

    /// Adds what an entry says. One that is cut short ends early.
    pub fn read(&mut self, entry: &Entry<'_>) {
        let Some((mark, mut tail)) = entry.tail.split_first() else { return };
        let count = read(&mut tail).unwrap_or(0);
        let steps = (0..count).map_while(|_| u32::try_from(read(&mut tail)?).ok());
        let positions = steps.scan(0_u32, |position, step| {
            *position = position.checked_add(step)?;
            Some(*position)
        });
        self.push(Posting { seq: entry.seq, source: entry.source, mark: *mark }, positions);
    }

    /// Puts them in order by (thing, source). Runs are in order, so that this only merges them.
    pub fn sort(&mut self) {
        self.postings.sort_by_key(|(posting, _)| (posting.seq, posting.source));
    }

    /// The postings with their positions. One unit may come several times.
    pub fn iter(&self) -> impl Iterator<Item = (Posting, &[u32])> {
        self.postings
            .iter()
            .map(|(posting, at)| (*posting, self.positions.get(at.clone()).unwrap_or_default()))
    }

    /// The postings alone.
    pub fn postings(&self) -> impl Iterator<Item = Posting> {
        self.postings.iter().map(|(posting, _)| *posting)
    }
}

/// A posting as it is written: what follows thing and source is taken as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry<'a> {
    /// The thing.
    pub seq: i64,
    /// Which of its units.
    pub source: Source,
    /// The mark, and where there are positions those.
    pub tail: &'a [u8],
}

/// Writes the positions, ascending, that follow a mark.
pub fn write_positions(bytes: &mut Vec<u8>, positions: &[u32]) {
    write(bytes, u64::try_from(positions.len()).unwrap_or(0));
    let mut last = 0;
    for position in positions {
        write(bytes, u64::from(position - last));
        last = *position;
    }
}

/// A run being written.
#[derive(Debug, Default)]
pub struct Run {
    /// What is written so far.
    pub bytes: Vec<u8>,
    last: i64,
    /// The first and the last thing.
    pub range: Option<(i64, i64)>,
}

impl Run {
    /// Adds an entry that comes after all those before.
    pub fn push(&mut self, entry: &Entry<'_>) {
        write(&mut self.bytes, u64::try_from(entry.seq - self.last).unwrap_or(0));
        write(&mut self.bytes, entry.source.0.into());
        self.bytes.extend_from_slice(entry.tail);
        self.last = entry.seq;
        self.range = Some((self.range.map_or(entry.seq, |(low, _)| low), entry.seq));
    }
}

/// Reads the entries of a run as they stand; `positions` says whether it has any.
pub fn entries(mut run: &[u8], positions: bool) -> impl Iterator<Item = Entry<'_>> {
    let mut last = 0;
    std::iter::from_fn(move || {
        let (seq, source) = read_unit(&mut run, &mut last)?;
        let start = run;
        run = run.get(1..)?;
        if positions {
            for _ in 0..read(&mut run)? {
                read(&mut run)?;
            }
        }
        Some(Entry { seq, source, tail: &start[..start.len() - run.len()] })
    })
}

/// Reads the postings of a run. One that is cut short ends early.
pub fn postings(mut run: &[u8]) -> impl Iterator<Item = Posting> {
    let mut last = 0;
    std::iter::from_fn(move || read_posting(&mut run, &mut last))
}

fn read_posting(run: &mut &[u8], last: &mut i64) -> Option<Posting> {
    let (seq, source) = read_unit(run, last)?;
    let (mark, rest) = run.split_first()?;
    *run = rest;
    Some(Posting { seq, source, mark: *mark })
}

fn read_unit(run: &mut &[u8], last: &mut i64) -> Option<(i64, Source)> {
    *last = last.checked_add(i64::try_from(read(run)?).ok()?)?;
    Some((*last, Source(u32::try_from(read(run)?).ok()?)))
}

/// Writes a number in seven bits a byte.
pub(super) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}

/// Reads a number; `None` where there is no whole one.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(mut all: Vec<(i64, u32, u8, Vec<u32>)>) -> Placements {
        all.sort();
        let mut sorted = Placements::default();
        for (seq, source, mark, mut positions) in all {
            positions.sort_unstable();
            sorted.push(Posting { seq, source: Source(source), mark }, positions);
        }
        sorted
    }

    fn placements(run: &[u8]) -> Placements {
        let mut all = Placements::default();
        entries(run, true).for_each(|entry| all.read(&entry));
        all
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            all in prop::collection::vec((0_i64..1 << 40, any::<u32>(), any::<u8>(), prop::collection::vec(any::<u32>(), 0..4)), 0..40),
        ) {
            let all = sorted(all);
            let (mut plain, mut with_positions) = (Run::default(), Run::default());
            for (Posting { seq, source, mark }, positions) in all.iter() {
                let mut tail = vec![mark];
                plain.push(&Entry { seq, source, tail: &tail });
                write_positions(&mut tail, positions);
                with_positions.push(&Entry { seq, source, tail: &tail });
            }
            prop_assert_eq!(placements(&with_positions.bytes), all.clone());
            let expected: Vec<_> = all.postings().collect();
            prop_assert_eq!(postings(&plain.bytes).collect::<Vec<_>>(), expected);
            for (run, positions) in [(plain, false), (with_positions, true)] {
                let mut again = Run::default();
                entries(&run.bytes, positions).for_each(|entry| again.push(&entry));
                prop_assert_eq!(again.bytes, run.bytes);
            }
        }

        #[test]
        fn any_bytes_are_read_to_an_end(bytes in any::<Vec<u8>>()) {
            prop_assert!(placements(&bytes).postings().count() <= bytes.len());
            prop_assert!(postings(&bytes).count() <= bytes.len());
            prop_assert!(entries(&bytes, true).count() <= bytes.len());
        }
    }
}
