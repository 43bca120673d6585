//! What sort of content a thing is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The sort of a thing's content, from its bytes first and its name second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Text, Markdown, PDF, Office, EPUB.
    Document,
    /// Pictures, drawn or photographed.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// A mail or a mailbox.
    Email,
    /// Source code and scripts.
    Code,
    /// CSV, JSON, XML, YAML, TOML, databases.
    Data,
    /// Packed files.
    Archive,
    /// HTML.
    Web,
    /// What people and agents wrote in this workspace. No connector of this version makes these.
    Note,
    /// Anything else.
    Other,
}

impl Kind {
    /// Every kind, in the order in which tools name them.
    pub const ALL: [Self; 11] = [
        Self::Document,
        Self::Image,
        Self::Audio,
        Self::Video,
        Self::Email,
        Self::Code,
        Self::Data,
        Self::Archive,
        Self::Web,
        Self::Note,
        Self::Other,
    ];

    /// The names of [`Kind::ALL`].
    pub const WORDS: [&'static str; 11] = {
        let mut words = [""; 11];
        let mut at = 0;
        while at < words.len() {
            words[at] = Self::ALL[at].as_str();
            at += 1;
        }
        words
    };

    /// The kind's name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Email => "email",
            Self::Code => "code",
            Self::Data => "data",
            Self::Archive => "archive",
            Self::Web => "web",
            Self::Note => "note",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no kind.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected one of {}", Kind::WORDS.join(", "))]
pub struct UnknownKind;

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownKind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_from_its_name() {
        for (kind, word) in Kind::ALL.into_iter().zip(Kind::WORDS) {
            assert_eq!(word.parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }

    #[test]
    fn an_unknown_kind_is_answered_with_the_known_ones() {
        let error = "Picture".parse::<Kind>().unwrap_err().to_string();
        assert!(error.starts_with("expected one of document, image, audio"), "{error}");
    }
}
