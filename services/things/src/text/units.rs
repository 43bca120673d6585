//! Index units: a long text in parts that a full-text index takes.
//!
//! A `tsvector` of `PostgreSQL` holds positions up to 16,383, keeps at most 256 of them for one lexeme
//! (the rest are dropped without a word), and is at most 1 MB. Units stay below all three, so no
//! position is ever lost, and neighbors overlap, so that a phrase across a border is whole in one.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::tokens::each_token_at;

/// The most tokens in a unit.
pub const UNIT_TOKENS: usize = 10_000;

/// The most times one token occurs in a unit: some of the 256 are left to title, path and chief words,
/// which share the vector.
pub const UNIT_REPEATS: usize = 192;

/// The most bytes of a unit's text.
pub const UNIT_BYTES: usize = 768 * 1_024;

/// How many tokens a unit repeats from the one before: one less than the longest phrase of a query.
pub const OVERLAP_TOKENS: usize = 63;

/// The most tokens of a text that are indexed: those of two thousand pages.
pub const TEXT_TOKENS: usize = 1_000_000;

/// The most bytes of a text's units, which may be many times those of the text: `\u{FDFA}` folds to eighteen
/// characters, and what is said over and over makes many units that overlap.
pub const UNITS_BYTES: usize = 8 * 1_024 * 1_024;

/// A text, cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The units.
    pub units: Vec<String>,
    /// After how many tokens the text was left alone, where it has more than are indexed.
    pub ended_after: Option<usize>,
}

/// Cuts a text into units: each its tokens in order, joined by single spaces. A text without tokens
/// has none. Most texts have one. What follows the first [`TEXT_TOKENS`] tokens, or [`UNITS_BYTES`], is left
/// out.
#[must_use]
pub fn cut(text: &str) -> Cut {
    let mut builder = Builder::default();
    let mut count = 0;
    let ended = each_token_at(text, |_, token| {
        if count == TEXT_TOKENS || builder.bytes() + token.len() > UNITS_BYTES {
            return ControlFlow::Break(());
        }
        count += 1;
        builder.push(token);
        ControlFlow::Continue(())
    });
    Cut { units: builder.finish(), ended_after: ended.is_break().then_some(count) }
}

/// Fills one unit after the other.
#[derive(Default)]
struct Builder {
    done: Vec<String>,
    done_bytes: usize,
    unit: String,
    tokens: usize,
    repeats: HashMap<String, usize>,
}

impl Builder {
    fn bytes(&self) -> usize {
        self.done_bytes + self.unit.len()
    }

    fn push(&mut self, token: &str) {
        if !self.has_room_for(token) {
            self.begin_next();
        }
        self.append(token);
    }

    fn has_room_for(&self, token: &str) -> bool {
        self.tokens < UNIT_TOKENS
            && self.unit.len() + 1 + token.len() <= UNIT_BYTES
            && self.repeats.get(token).is_none_or(|repeats| *repeats < UNIT_REPEATS)
    }

    fn append(&mut self, token: &str) {
        if !self.unit.is_empty() {
            self.unit.push(' ');
        }
        self.unit.push_str(token);
        self.tokens += 1;
        match self.repeats.get_mut(token) {
            Some(repeats) => *repeats += 1,
            None => {
                self.repeats.insert(token.to_owned(), 1);
            }
        }
    }

    fn begin_next(&mut self) {
        let full = std::mem::take(&mut self.unit);
        self.tokens = 0;
        self.repeats.clear();
        let overlap = full.rmatch_indices(' ').nth(OVERLAP_TOKENS - 1).map_or(0, |(at, _)| at + 1);
        for token in full[overlap..].split(' ') {
            self.append(token);
        }
        self.done_bytes += full.len();
        self.done.push(full);
    }

    fn finish(mut self) -> Vec<String> {
        if !self.unit.is_empty() {
            self.done.push(self.unit);
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::query::ATOM_TOKENS;

    fn units(text: &str) -> Vec<String> {
        let Cut { units, ended_after } = cut(text);
        assert_eq!(ended_after, None);
        units
    }

    fn numbered(count: usize) -> String {
        (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn occurrences(unit: &str, word: &str) -> usize {
        unit.split(' ').filter(|token| *token == word).count()
    }

    #[test]
    fn a_short_text_is_one_unit_and_no_text_is_none() {
        assert_eq!(units("Hello, World!"), ["hello world"]);
        assert!(units(" ... ").is_empty());
    }

    #[test]
    fn every_phrase_of_the_longest_length_is_whole_in_one_unit() {
        let units = units(&numbered(25_000));
        assert_eq!(units.len(), 3);
        assert!(units.iter().all(|unit| unit.split(' ').count() <= UNIT_TOKENS));
        for start in (9_800..10_100).chain(19_700..20_100) {
            let words: Vec<_> = (start..start + ATOM_TOKENS).map(|n| n.to_string()).collect();
            let phrase = format!(" {} ", words.join(" "));
            assert!(units.iter().any(|unit| format!(" {unit} ").contains(&phrase)), "from {start}");
        }
    }

    #[test]
    fn no_token_loses_positions_by_being_frequent() {
        let units = units(&"the cat and the dog ".repeat(1_000));
        assert!(units.iter().all(|unit| occurrences(unit, "the") <= UNIT_REPEATS));
        let overlaps = (units.len() - 1) * OVERLAP_TOKENS;
        let total: usize = units.iter().map(|unit| unit.split(' ').count()).sum();
        assert_eq!(total - overlaps, 5_000);
    }

    #[test]
    fn a_text_of_more_words_than_are_indexed_ends_there() {
        let words = cut(&"ab, ".repeat(TEXT_TOKENS + 1));
        assert_eq!(words.ended_after, Some(TEXT_TOKENS));
    }

    #[test]
    fn words_that_grow_by_folding_end_with_the_bytes() {
        let grown = cut(&"\u{FDFA} ".repeat(500_000));
        assert!(grown.ended_after.is_some());
        let bytes: usize = grown.units.iter().map(String::len).sum();
        assert!((UNITS_BYTES - 100..=UNITS_BYTES + UNIT_BYTES).contains(&bytes), "{bytes}");
    }

    #[test]
    fn long_tokens_keep_a_unit_below_its_bytes() {
        let long: Vec<_> = (0..9_000).map(|n| format!("{n:05}{}", "\u{10348}".repeat(59))).collect();
        let units = units(&long.join(" "));
        assert!(units.len() > 1);
        assert!(units.iter().all(|unit| unit.len() <= UNIT_BYTES));
    }
}
