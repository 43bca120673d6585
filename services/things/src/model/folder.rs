//! A folder: the prefix of a locator key, taken part by part.

use std::fmt;
use std::str::FromStr;

/// The longest folder accepted, in bytes: `PATH_MAX` on Linux.
pub const FOLDER_BYTES: usize = 4_096;

/// A folder inside a resource, such as `2024/invoices`: no slash at either end, no empty part,
/// no `.` and no `..`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Folder(String);

/// The text is not a folder.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FolderError {
    /// Nothing but slashes.
    #[error("names no folder; leave it out for everything")]
    Empty,
    /// A part is empty, `.` or `..`.
    #[error("has a part that is empty, \".\" or \"..\"; write it like 2024/invoices")]
    BadPart,
    /// It holds a NUL, which no key does.
    #[error("holds a NUL character")]
    Nul,
    /// Longer than [`FOLDER_BYTES`].
    #[error("is longer than {FOLDER_BYTES} bytes")]
    TooLong,
}

impl Folder {
    /// The folder's path, without slashes at the ends.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the key lies in this folder or in one below it.
    #[must_use]
    pub fn covers(&self, key: &str) -> bool {
        key.strip_prefix(&self.0).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The keys this folder covers, as a half-open range of byte strings: from `folder/`, up to but
    /// without `folder0`, since `0` is the byte after `/`. Right only under a binary collation.
    #[must_use]
    pub fn range(&self) -> (String, String) {
        (format!("{}/", self.0), format!("{}0", self.0))
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Folder {
    type Err = FolderError;

    fn from_str(text: &str) -> Result<Self, FolderError> {
        if text.len() > FOLDER_BYTES {
            return Err(FolderError::TooLong);
        }
        if text.contains('\0') {
            return Err(FolderError::Nul);
        }
        let trimmed = text.trim_matches('/');
        if trimmed.is_empty() {
            return Err(FolderError::Empty);
        }
        if trimmed.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(FolderError::BadPart);
        }
        Ok(Self(trimmed.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folder(text: &str) -> Folder {
        text.parse().unwrap()
    }

    #[test]
    fn covers_what_lies_below_and_not_what_only_begins_alike() {
        let invoices = folder("/2024/invoices/");
        assert_eq!(invoices.as_str(), "2024/invoices");
        assert!(invoices.covers("2024/invoices/a.pdf"));
        assert!(invoices.covers("2024/invoices/march/a.pdf"));
        assert!(!invoices.covers("2024/invoices-old/a.pdf"));
        assert!(!invoices.covers("2024/invoices"));
    }

    #[test]
    fn odd_parts_are_refused() {
        for text in ["a//b", "a/./b", "../b", ".."] {
            assert_eq!(text.parse::<Folder>(), Err(FolderError::BadPart), "{text}");
        }
        assert_eq!("//".parse::<Folder>(), Err(FolderError::Empty));
        assert_eq!("a\0b".parse::<Folder>(), Err(FolderError::Nul));
        assert_eq!("a".repeat(5_000).parse::<Folder>(), Err(FolderError::TooLong));
    }

    proptest! {
        #[test]
        fn the_range_holds_exactly_the_covered_keys(key in "[a/0.-]{0,8}") {
            let a = folder("a");
            let (from, to) = a.range();
            prop_assert_eq!(a.covers(&key), key >= from && key < to);
        }
    }
}
