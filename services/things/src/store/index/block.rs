//! Blocks: the rows in which a segment is stored.
//!
//! A block holds words in order, each with a run of its postings. A word with many postings has blocks of its
//! own, which hold nothing else; the others share theirs. So the postings of a word are in the blocks that are
//! called by it, or in the last block before.

use super::posting::{Run, read, write};

/// How large a block becomes, in bytes: two on a page of PostgreSQL, one beside the rest of its row on SQLite.
pub const BLOCK_BYTES: usize = 3_800;
/// From this size on a word's postings have blocks of their own.
const OWN_BYTES: usize = 1_000;

/// What is kept of each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// In which units it stands.
    Units,
    /// And at which positions.
    Positions,
}

impl Stream {
    /// Its number in the database.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Units => 0,
            Self::Positions => 1,
        }
    }
}

/// A block on its way into the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What is kept in it.
    pub stream: Stream,
    /// Its first word.
    pub word: String,
    /// Counts the blocks of one word.
    pub part: i64,
    /// The oldest thing in it.
    pub low: i64,
    /// The newest.
    pub high: i64,
    /// Words with their runs.
    pub body: Vec<u8>,
}

/// Fills blocks with words in ascending order.
#[derive(Debug)]
pub struct Packer {
    stream: Stream,
    done: Vec<Block>,
    open: Option<Block>,
}

impl Packer {
    /// Begins with nothing.
    #[must_use]
    pub const fn new(stream: Stream) -> Self {
        Self { stream, done: Vec::new(), open: None }
    }

    /// Adds a word with its runs, none of them empty.
    pub fn add(&mut self, word: &str, runs: &[Run]) {
        match runs {
            [run] if run.bytes.len() < OWN_BYTES => self.share(word, run),
            runs => {
                self.close();
                for (part, run) in (0..).zip(runs) {
                    self.done.extend(self.block(word, part, run));
                }
            }
        }
    }

    /// All blocks.
    #[must_use]
    pub fn finish(mut self) -> Vec<Block> {
        self.close();
        self.done
    }

    fn share(&mut self, word: &str, run: &Run) {
        if self.open.as_ref().is_some_and(|open| open.body.len() + run.bytes.len() > BLOCK_BYTES) {
            self.close();
        }
        let Some(more) = self.block(word, 0, run) else { return };
        match &mut self.open {
            None => self.open = Some(more),
            Some(open) => {
                open.low = open.low.min(more.low);
                open.high = open.high.max(more.high);
                open.body.extend(more.body);
            }
        }
    }

    fn block(&self, word: &str, part: i64, run: &Run) -> Option<Block> {
        let (low, high) = run.range?;
        let mut body = Vec::with_capacity(word.len() + run.bytes.len() + 4);
        for bytes in [word.as_bytes(), &run.bytes] {
            write(&mut body, u64::try_from(bytes.len()).unwrap_or(0));
            body.extend_from_slice(bytes);
        }
        Some(Block { stream: self.stream, word: word.to_owned(), part, low, high, body })
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }
}

/// The words of a block's body with their runs. A body that is cut short ends early.
pub fn words(mut body: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    std::iter::from_fn(move || {
        let word = std::str::from_utf8(take(&mut body)?).ok()?;
        Some((word, take(&mut body)?))
    })
}

fn take<'a>(body: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(read(body)?).ok()?;
    let (taken, rest) = body.split_at_checked(length)?;
    *body = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::super::posting::{Entry, Source};
    use super::*;

    fn run(units: i64) -> Run {
        let mut run = Run::default();
        (1..=units).for_each(|seq| run.push(&Entry { seq, source: Source::content(0), tail: &[1] }));
        run
    }

    #[test]
    fn small_words_share_and_large_ones_have_blocks_of_their_own() {
        let mut packer = Packer::new(Stream::Units);
        packer.add("a", &[run(1)]);
        packer.add("b", &[run(2)]);
        packer.add("c", &[run(1_000), run(5)]);
        packer.add("d", &[run(1)]);
        let blocks = packer.finish();
        let names: Vec<_> =
            blocks.iter().map(|block| (block.word.as_str(), block.part, block.high)).collect();
        assert_eq!(names, [("a", 0, 2), ("c", 0, 1_000), ("c", 1, 5), ("d", 0, 1)]);
        assert_eq!(words(&blocks[0].body).map(|(word, _)| word).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn a_shared_block_stays_below_its_size() {
        let mut packer = Packer::new(Stream::Units);
        (1_000..9_000).for_each(|word| packer.add(&format!("word{word}"), &[run(3)]));
        let blocks = packer.finish();
        assert!(blocks.len() > 10 && blocks.iter().all(|block| block.body.len() < BLOCK_BYTES + 100));
        assert_eq!(blocks.iter().map(|block| words(&block.body).count()).sum::<usize>(), 8_000);
    }
}
