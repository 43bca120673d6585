//! PDF: `unpdf` first, and `pdf_oxide` for what is damaged.

use pdf_oxide::PdfDocument;
use unpdf::{ParseOptions, PdfParser};

use crate::Document;
use crate::read::{ParseError, Parsed};
use crate::text::Text;

/// Reads what is whole, or nearly so.
pub(crate) fn read(bytes: &[u8]) -> Result<Parsed, ParseError> {
    // Pages side by side would share one limit of memory.
    let options = ParseOptions::new().lenient().sequential();
    let parsed = PdfParser::from_bytes_with_options(bytes, options).and_then(|parser| parser.parse());
    let parsed = parsed.map_err(ParseError::of)?;
    let about = &parsed.metadata;
    let facts = [
        ("Author", about.author.as_deref()),
        ("Subject", about.subject.as_deref()),
        ("Keywords", about.keywords.as_deref()),
    ];
    Ok(Parsed::with_about(about.title.clone(), Text::from(parsed.plain_text()), &facts))
}

/// Reads also what has lost its header, its table or its end.
pub(crate) fn read_damaged(bytes: &[u8]) -> Result<Document, ParseError> {
    let parsed = PdfDocument::from_bytes(bytes.to_vec()).map_err(ParseError::of)?;
    let pages = parsed.page_count().map_err(ParseError::of)?;
    let (mut text, mut unread) = (Text::default(), Vec::new());
    for page in 0..pages {
        match parsed.extract_text(page) {
            Ok(page) => text.say(&page),
            Err(problem) => unread.push(format!("page {}: {problem}", page + 1)),
        }
        if text.is_full() {
            break;
        }
    }
    if !unread.is_empty() && unread.len() == pages {
        return Err(ParseError(unread.swap_remove(0)));
    }
    Ok(Document { title: None, text: text.into_string(), unread })
}
