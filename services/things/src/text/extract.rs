//! The step `text`: what a content says, as plain text.

mod code;
mod html;
mod markdown;
mod plain;

use crate::model::Kind;

/// The most bytes that text is taken from.
pub const INPUT_BYTES: usize = 16 * 1_024 * 1_024;

/// The most bytes of text, in UTF-8, that are taken.
pub const TEXT_BYTES: usize = 8 * 1_024 * 1_024;

/// What a content says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// What the text calls itself, as it stands there.
    pub title: Option<String>,
    /// The text, without NUL.
    pub text: String,
    /// What took it out, for the step's record.
    pub engine: &'static str,
}

/// No text was taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ExtractError {
    /// The content has more than [`INPUT_BYTES`].
    #[error("{size} bytes; text is taken from at most {INPUT_BYTES}")]
    TooLarge {
        /// The content's bytes.
        size: usize,
    },
    /// The text has more than [`TEXT_BYTES`].
    #[error("{size} bytes of text; at most {TEXT_BYTES} are kept")]
    TextTooLarge {
        /// The text's bytes in UTF-8.
        size: usize,
    },
}

/// Whether there is a text step for such a content: the caller needn't read it otherwise.
#[must_use]
pub fn has_text(kind: Kind, mime: &str) -> bool {
    engine(kind, mime).is_some()
}

/// Takes the text out of a content; none where no text step applies to its kind.
///
/// # Errors
/// [`ExtractError`] where the content or its text is too large.
pub fn extract(kind: Kind, mime: &str, bytes: &[u8]) -> Result<Option<Extracted>, ExtractError> {
    let Some(engine) = engine(kind, mime) else {
        return Ok(None);
    };
    if bytes.len() > INPUT_BYTES {
        return Err(ExtractError::TooLarge { size: bytes.len() });
    }
    let extracted = engine(bytes);
    if extracted.text.len() > TEXT_BYTES {
        return Err(ExtractError::TextTooLarge { size: extracted.text.len() });
    }
    Ok(Some(extracted))
}

/// What takes text out of bytes.
type Engine = fn(&[u8]) -> Extracted;

fn engine(kind: Kind, mime: &str) -> Option<Engine> {
    match (kind, mime) {
        (Kind::Web, _) => Some(html::extract),
        (Kind::Code, _) => Some(code::extract),
        (Kind::Document | Kind::Note, "text/markdown") => Some(markdown::extract),
        (Kind::Document | Kind::Note, mime) if mime.starts_with("text/") => Some(plain::extract),
        (Kind::Data, mime) if is_textual(mime) => Some(plain::extract),
        _ => None,
    }
}

/// Whether data of this media type is text.
fn is_textual(mime: &str) -> bool {
    mime.starts_with("text/")
        || ["json", "jsonl", "xml", "yaml", "toml"].iter().any(|format| mime.ends_with(format))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sniff::sniff;

    fn engine_of(name: &str, bytes: &[u8]) -> Option<&'static str> {
        let sniffed = sniff(name, bytes);
        extract(sniffed.kind, &sniffed.mime, bytes).unwrap().map(|extracted| extracted.engine)
    }

    #[test]
    fn each_kind_has_its_engine_or_none() {
        assert_eq!(engine_of("a.txt", b"x"), Some("plain"));
        assert_eq!(engine_of("a.md", b"x"), Some("markdown"));
        assert_eq!(engine_of("a.html", b"x"), Some("html"));
        assert_eq!(engine_of("a.rs", b"x"), Some("code"));
        for name in ["a.csv", "a.json", "a.jsonl", "a.xml", "a.yaml", "a.toml", "a.rss"] {
            assert_eq!(engine_of(name, b"x"), Some("plain"), "{name}");
        }
        assert_eq!(engine_of("a.pdf", b"%PDF-1.4"), None);
        assert_eq!(engine_of("a.zip", b"PK\x03\x04"), None);
        assert_eq!(engine_of("a.db", b"SQLite format 3\0"), None);
        assert_eq!(engine_of("a.svg", b"<svg>"), None);
    }

    #[test]
    fn what_is_too_large_is_refused_with_its_size() {
        let bytes = vec![b'a'; INPUT_BYTES + 1];
        let plain = |bytes: &[u8]| extract(Kind::Document, "text/plain", bytes);
        assert_eq!(plain(&bytes), Err(ExtractError::TooLarge { size: INPUT_BYTES + 1 }));
        assert_eq!(
            plain(&bytes[..=TEXT_BYTES]).unwrap_err().to_string(),
            "8388609 bytes of text; at most 8388608 are kept"
        );
        assert!(plain(&bytes[..TEXT_BYTES]).is_ok());
        assert_eq!(extract(Kind::Image, "image/png", &bytes), Ok(None));
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in any::<Vec<u8>>(), markup in "[<>/a-c&;#!\\-\" \n`=]{0,60}") {
            for bytes in [&bytes[..], markup.as_bytes()] {
                for (kind, mime) in [
                    (Kind::Web, "text/html"),
                    (Kind::Document, "text/markdown"),
                    (Kind::Document, "text/plain"),
                    (Kind::Code, "text/x-rust"),
                ] {
                    let extracted = extract(kind, mime, bytes).unwrap().unwrap();
                    prop_assert!(!extracted.text.contains('\0'));
                }
            }
        }
    }
}
