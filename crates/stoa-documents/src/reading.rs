//! What comes of reading a document.

use serde::{Deserialize, Serialize};

use crate::read::Engine;
use crate::{Format, TEXT_BYTES};

/// The most parts that are named as unread.
const UNREAD: usize = 20;
/// The most characters of what is said of one of them, and of why a document could not be read.
const MESSAGE_CHARS: usize = 300;
/// The most characters of a title.
const TITLE_CHARS: usize = 2_000;

/// What a document says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// What it calls itself.
    pub title: Option<String>,
    /// Its text, at most [`TEXT_BYTES`] of UTF-8, without NUL.
    pub text: String,
    /// The parts of it that could not be read, each with the reason.
    pub unread: Vec<String>,
}

impl Document {
    /// Holds what a parser gave to what is promised of it.
    pub(crate) fn tidy(mut self) -> Self {
        if self.text.len() > TEXT_BYTES {
            let end = (0..=TEXT_BYTES).rev().find(|end| self.text.is_char_boundary(*end));
            self.text.truncate(end.unwrap_or_default());
            self.unread.insert(0, format!("the text after its first {TEXT_BYTES} bytes"));
        }
        if self.text.contains('\0') {
            self.text = self.text.replace('\0', " ");
        }
        self.title = self.title.map(|title| line(&title, TITLE_CHARS)).filter(|title| !title.is_empty());
        let more = self.unread.len().saturating_sub(UNREAD);
        self.unread.truncate(UNREAD);
        for part in &mut self.unread {
            *part = line(part, MESSAGE_CHARS);
        }
        if more > 0 {
            self.unread.push(format!("{more} more"));
        }
        self
    }
}

/// No text was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// No parser of this build reads such a content.
    #[error("no parser reads this")]
    Unsupported,
    /// Every parser failed, and this is what they said.
    #[error("{0}")]
    Failed(String),
    /// Nobody could read it now, for a reason that lies outside of it: it is to be tried again later.
    #[error("{0}")]
    Unavailable(String),
}

impl Problem {
    /// A failure, said in one line.
    pub(crate) fn failed(message: &str) -> Self {
        Self::Failed(line(message, MESSAGE_CHARS))
    }
}

/// What came of reading a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What the bytes turned out to be.
    pub format: Option<Format>,
    /// Which parser read them, or failed last.
    pub engine: Option<Engine>,
    /// The text, or why there is none.
    pub outcome: Result<Document, Problem>,
}

impl Reading {
    /// Nothing was read, for a reason that lies outside of the document.
    pub(crate) fn unavailable(format: Option<Format>, reason: &str) -> Self {
        Self { format, engine: None, outcome: Err(Problem::Unavailable(line(reason, MESSAGE_CHARS))) }
    }

    /// Nothing was read, for a reason that lies outside of the parsers.
    pub(crate) fn failed(format: Option<Format>, reason: &str) -> Self {
        Self { format, engine: None, outcome: Err(Problem::failed(reason)) }
    }
}

/// A text as one line of at most `most` characters, without control characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_held_to_its_promises() {
        let long = Document {
            title: Some(" a\n title\0 ".to_owned()),
            text: format!("\0{}", "é".repeat(TEXT_BYTES / 2)),
            unread: (0..30).map(|page| format!("page\n{page}")).collect(),
        };
        let tidy = long.tidy();
        assert_eq!(tidy.title.as_deref(), Some("a title"));
        assert_eq!(tidy.text.len(), TEXT_BYTES - 1, "no character is cut in two");
        assert!(tidy.text.starts_with(" é"));
        assert_eq!(tidy.unread[0], "the text after its first 8388608 bytes");
        assert_eq!((tidy.unread[1].as_str(), tidy.unread[20].as_str()), ("page 0", "11 more"));
        assert_eq!(Document { title: Some("\n".to_owned()), ..Document::default() }.tidy().title, None);
    }
}
