//! The full-text index: an inverted index in plain tables, the same on both databases.
//!
//! **Why its own.** A word that stands in every thing has to cost as little as a rare one: a search looks at
//! the newest things first and stops when it has enough. FTS5 and GIN find by word what they know, and have no
//! cheap way of finding it by age; and each of them wants its words in another language.
//!
//! **Units.** What is found is a unit: the content of a thing, or a reference with its file name and path
//! ([`Source`]). A unit is written once and never changed; its number is never given again. What is no longer
//! so is said by a mark of its own ([`DEAD`]), which takes effect at once.
//!
//! **Segments.** A transaction adds one segment: its words in order, each with the units in which it stands
//! ([`block`]). As they become many, small segments are merged into larger ones ([`merge`]), and dead units
//! are left out then. No segment is ever changed, so readers need no lock.
//!
//! **Facets.** What a selector asks for stands in the index like a word: resource, folder, kind ([`facet`]).

pub mod block;
pub mod facet;
pub(crate) mod merge;
pub mod posting;
pub mod read;
pub mod segment;
pub(crate) mod write;

pub use facet::DEAD;
pub use merge::{delete_replaced, settle};
pub use posting::{Posting, Source};
pub(crate) use write::clear;

/// Its tables. They are not backed up, since they are made anew from what they index.
pub const TABLES: &[&str] = &["thing_segment", "thing_block"];

/// What the index learns of a text or a name: tokens separated by single blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Of the text's own title, or of the file name.
    pub title: String,
    /// Of the locator key.
    pub path: String,
    /// That say most about the text.
    pub chief: String,
    /// Of the text.
    pub body: String,
}

/// What the index learns of one unit.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    /// The thing.
    pub seq: i64,
    /// Which of the thing's units.
    pub source: Source,
    /// How short it is: 15 for a name, less the longer a text is.
    pub shortness: u8,
    /// What it says, in parts that may overlap.
    pub parts: Vec<&'a Words>,
    /// What selectors ask for.
    pub facets: Vec<String>,
}

/// What one transaction changes.
#[derive(Clone, Debug, Default)]
pub struct Changes<'a> {
    /// New units.
    pub units: Vec<Unit<'a>>,
    /// Units that are no more: (thing, which).
    pub dead: Vec<(i64, Source)>,
}

/// The greatest [`Unit::shortness`].
pub const SHORTEST: u8 = 15;

/// How short a text of so many characters is: 15 below 1,000 characters, one less each time it is twice as
/// long.
#[must_use]
pub fn shortness(length: i64) -> u8 {
    let doublings = (length / 1_000).max(0).checked_add(1).map_or(63, i64::ilog2);
    SHORTEST.saturating_sub(u8::try_from(doublings).unwrap_or(SHORTEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_twice_as_long_is_a_little_less_short() {
        assert_eq!([0, 999, 1_000, 3_000, 7_000].map(shortness), [15, 15, 14, 13, 12]);
        assert_eq!([8_000_000_000, i64::MAX, -1].map(shortness), [0, 0, 15]);
    }
}
