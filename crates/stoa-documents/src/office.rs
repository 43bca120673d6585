//! Word, Excel and PowerPoint, since 2007 and before.

use undoc::render::RenderOptions;
use undoc::{Error, FormatType};

use crate::read::ParseError;
use crate::text::Text;
use crate::{Document, Format};

/// Reads any of them.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, ParseError> {
    let parsed = undoc::parse_bytes(bytes).map_err(ParseError::of)?;
    let text = undoc::render::to_text(&parsed, &RenderOptions::default()).map_err(ParseError::of)?;
    let about = &parsed.metadata;
    let mut text = Text::from(text);
    text.about(&[
        ("Author", about.author.as_deref()),
        ("Subject", about.subject.as_deref()),
        ("Description", about.description.as_deref()),
        ("Keywords", Some(&about.keywords.join(", "))),
    ]);
    Ok(Document { title: about.title.clone(), text: text.into_string(), unread: Vec::new() })
}

/// Which format a compound file has. Most of Windows uses them: one that is none of Office is none of ours.
pub(crate) fn compound(bytes: &[u8], hint: Option<Format>) -> Option<Format> {
    match undoc::detect_format_from_bytes(bytes) {
        Ok(FormatType::Doc) => Some(Format::Doc),
        Ok(FormatType::Xls) => Some(Format::Xls),
        Ok(FormatType::Ppt) => Some(Format::Ppt),
        // A package behind a password is kept in a compound file.
        Err(Error::Encrypted) => Some(hint.unwrap_or(Format::Docx)),
        Ok(_) | Err(_) => hint,
    }
}
