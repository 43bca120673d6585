//! Source code: all of it is text, comments and names alike.

use stoa_documents::decode::decode;

use super::Extracted;

/// Decodes; code is known by its file name, not by a title.
pub(super) fn extract(bytes: &[u8]) -> Extracted {
    Extracted { title: None, text: decode(bytes).text.into_owned(), engine: "code" }
}
