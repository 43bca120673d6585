//! Reading: which parsers a format has, and what is tried when one fails.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::text::Text;
use crate::{Document, Format, Problem, Reading, archive, epub, mail, ooxml, opendocument, rtf};

/// A parser, as the step's record names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// PDF by the crate `unpdf`.
    Unpdf,
    /// PDF by the crate `pdf_oxide`.
    PdfOxide,
    /// Office, old and new, by the crate `undoc`.
    Undoc,
    /// Office since 2007, for its text alone.
    Ooxml,
    /// OpenDocument.
    OpenDocument,
    /// EPUB.
    Epub,
    /// RTF.
    Rtf,
    /// Mails by the crate `mail-parser`.
    MailParser,
    /// The names in an archive.
    Archive,
}

/// A parser.
type Parser = fn(&[u8], Format, Depth) -> Result<Parsed, ParseError>;

/// What a parser made of a document.
#[derive(Debug)]
pub(crate) struct Parsed {
    document: Document,
    /// Whether it found nothing to read, whatever is known about the document.
    is_blank: bool,
}

impl Parsed {
    /// A document with what its file says about it, such as its author, after the text.
    pub(crate) fn with_about(title: Option<String>, mut text: Text, facts: &[(&str, Option<&str>)]) -> Self {
        let is_blank = text.is_blank();
        text.about(facts);
        Self { document: Document { title, text: text.into_string(), unread: Vec::new() }, is_blank }
    }
}

impl From<Document> for Parsed {
    fn from(document: Document) -> Self {
        Self { is_blank: document.text.trim().is_empty(), document }
    }
}

impl Engine {
    /// Its name in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unpdf => "unpdf",
            Self::PdfOxide => "pdf_oxide",
            Self::Undoc => "undoc",
            Self::Ooxml => "ooxml",
            Self::OpenDocument => "opendocument",
            Self::Epub => "epub",
            Self::Rtf => "rtf",
            Self::MailParser => "mail-parser",
            Self::Archive => "archive",
        }
    }

    /// The most parsers that a format has.
    pub(crate) const MOST: usize = 2;

    /// The parsers of a format that this build has, in the order in which they are tried.
    #[must_use]
    pub const fn of(format: Format) -> &'static [Self] {
        match format {
            Format::Pdf if cfg!(not(feature = "pdf")) => &[],
            Format::Pdf => &[Self::Unpdf, Self::PdfOxide],
            Format::Docx | Format::Xlsx | Format::Pptx if cfg!(feature = "office") => {
                &[Self::Undoc, Self::Ooxml]
            }
            Format::Docx | Format::Xlsx | Format::Pptx => &[Self::Ooxml],
            Format::Doc | Format::Xls | Format::Ppt if cfg!(not(feature = "office")) => &[],
            Format::Doc | Format::Xls | Format::Ppt => &[Self::Undoc],
            Format::Odt | Format::Ods | Format::Odp => &[Self::OpenDocument],
            Format::Epub => &[Self::Epub],
            Format::Rtf => &[Self::Rtf],
            Format::Mail | Format::Mailbox => &[Self::MailParser],
            Format::Zip | Format::Tar | Format::Gzip | Format::Bzip2 | Format::Xz | Format::Zstd => {
                &[Self::Archive]
            }
        }
    }

    /// The parser itself.
    fn parser(self) -> Parser {
        match self {
            #[cfg(feature = "pdf")]
            Self::Unpdf => |bytes, _, _| crate::pdf::read(bytes),
            #[cfg(feature = "pdf")]
            Self::PdfOxide => |bytes, _, _| crate::pdf::read_damaged(bytes).map(Parsed::from),
            #[cfg(feature = "office")]
            Self::Undoc => |bytes, _, _| crate::office::read(bytes),
            Self::Ooxml => |bytes, format, _| ooxml::read(bytes, format).map(Parsed::from),
            Self::OpenDocument => |bytes, _, _| opendocument::read(bytes).map(Parsed::from),
            Self::Epub => |bytes, _, _| epub::read(bytes).map(Parsed::from),
            Self::Rtf => |bytes, _, _| Ok(rtf::read(bytes).into()),
            Self::MailParser => |bytes, format, depth| mail::read(bytes, format, depth).map(Parsed::from),
            Self::Archive => |bytes, format, _| archive::read(bytes, format).map(Parsed::from),
            #[cfg(not(all(feature = "pdf", feature = "office")))]
            // Formats don't lead here.
            _ => |_, _, _| Err(ParseError("this build is without it".to_owned())),
        }
    }
}

/// How deep a document lies in others: an attachment in a mail in a mail.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth(usize);

impl Depth {
    /// Mails in mails, and their attachments, are read down to here.
    const MOST: usize = 4;

    /// One further down, if that is still read.
    pub(crate) fn down(self) -> Option<Self> {
        (self.0 < Self::MOST).then_some(Self(self.0 + 1))
    }
}

/// Why a parser gave up.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ParseError(pub(crate) String);

impl ParseError {
    pub(crate) fn of(problem: impl Display) -> Self {
        Self(problem.to_string())
    }
}

/// Reads a document. `hint` is what its name says it is; `skip` is how many of its format's parsers are
/// passed over, because they are known to die of it.
///
/// A parser that panics has failed. One that takes too long, or too much memory or stack, is not stopped here.
#[must_use]
pub fn read(bytes: &[u8], hint: Option<Format>, skip: usize) -> Reading {
    read_at(bytes, hint, skip, Depth::default())
}

pub(crate) fn read_at(bytes: &[u8], hint: Option<Format>, skip: usize, depth: Depth) -> Reading {
    let Some(format) = Format::of(bytes, hint) else {
        return Reading { format: None, engine: None, outcome: Err(Problem::Unsupported) };
    };
    let mut problems = Vec::new();
    let mut blank = None;
    let mut last = None;
    for engine in Engine::of(format).iter().copied().skip(skip) {
        last = Some(engine);
        match run(engine.parser(), bytes, format, depth) {
            Ok(Parsed { document, is_blank: true }) => {
                blank.get_or_insert((engine, document));
            }
            Ok(Parsed { document, .. }) => {
                return Reading { format: Some(format), engine: last, outcome: Ok(document.tidy()) };
            }
            Err(problem) => problems.push(format!("{}: {problem}", engine.as_str())),
        }
    }
    // A document may well say nothing: a scan is pictures.
    if let Some((engine, document)) = blank {
        return Reading { format: Some(format), engine: Some(engine), outcome: Ok(document.tidy()) };
    }
    let problem =
        if problems.is_empty() { Problem::Unsupported } else { Problem::failed(&problems.join("; ")) };
    Reading { format: Some(format), engine: last, outcome: Err(problem) }
}

/// Runs a parser; its panic is its failure.
fn run(parser: Parser, bytes: &[u8], format: Format, depth: Depth) -> Result<Parsed, ParseError> {
    // What a parser leaves half done is dropped here.
    let outcome = catch_unwind(AssertUnwindSafe(|| parser(bytes, format, depth)));
    outcome.unwrap_or_else(|_panic| Err(ParseError("the parser panicked".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_about_a_document_is_no_text_of_its_own() {
        let facts = [("Author", Some("Ada"))];
        let blank = Parsed::with_about(None, Text::from("\n".to_owned()), &facts);
        assert!(blank.is_blank && blank.document.text.contains("Author: Ada"));
        let said = Parsed::with_about(None, Text::from("words".to_owned()), &facts);
        assert!(!said.is_blank && said.document.text.contains("words") && said.document.text.contains("Ada"));
        assert!(Parsed::from(Document::default()).is_blank);
    }

    #[test]
    fn a_panic_is_a_failure() {
        let parser: Parser = |_, _, _| panic!("broken table");
        let problem = run(parser, b"", Format::Zip, Depth::default()).unwrap_err();
        assert_eq!(problem.to_string(), "the parser panicked");
    }

    #[test]
    fn what_no_parser_knows_is_unsupported() {
        assert_eq!(read(b"whatever", None, 0).outcome, Err(Problem::Unsupported));
    }

    #[test]
    fn a_failure_names_the_parser() {
        let reading = read(b"PK\x03\x04 cut off", Some(Format::Epub), 0);
        assert_eq!((reading.format, reading.engine), (Some(Format::Epub), Some(Engine::Epub)));
        let Err(Problem::Failed(problem)) = reading.outcome else { panic!("failed") };
        assert!(problem.starts_with("epub: "), "{problem}");
    }
}
