//! What selectors ask for, as words of the index. They begin with a colon, which no token holds.

use stoa_base::Id;

use crate::model::{Kind, Resource};

/// Marks a unit that is no more.
pub const DEAD: &str = ":dead";
/// What the facets of all resources begin with.
pub const ANYWHERE: &str = ":at/";
/// What those of all kinds begin with.
const KINDS: &str = ":kind/";
/// Longer folders are named by their hash.
const FOLDER_BYTES: usize = 64;

/// Of a reference: it lies in this resource.
#[must_use]
pub fn resource(id: Id<Resource>) -> String {
    format!("{ANYWHERE}{}", id.uuid().simple())
}

/// Of a content: it is of this kind.
#[must_use]
pub fn kind(kind: Kind) -> String {
    format!("{KINDS}{kind}")
}

/// Whether it is one of those of which each unit has exactly one: a content its kind, a reference its resource.
#[must_use]
pub fn is_of_each_unit(word: &str) -> bool {
    word.starts_with(ANYWHERE) || word.starts_with(KINDS)
}

/// Of a reference: it lies in this folder or below.
#[must_use]
pub fn folder(path: &str) -> String {
    if path.len() <= FOLDER_BYTES {
        return format!(":in/{path}");
    }
    format!(":in#{}", blake3::hash(path.as_bytes()).to_hex())
}

/// Of a reference: all folders in which this key lies.
pub fn folders(key: &str) -> impl Iterator<Item = String> {
    key.match_indices('/').map(|(end, _)| folder(&key[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_lies_in_each_folder_above_it() {
        assert_eq!(folders("a/b/c.txt").collect::<Vec<_>>(), [":in/a", ":in/a/b"]);
        assert_eq!(folders("c.txt").count(), 0);
        let deep = "x/".repeat(1_000);
        assert!(folders(&deep).all(|facet| facet.len() <= 4 + FOLDER_BYTES));
    }
}
