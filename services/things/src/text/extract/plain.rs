//! Text that is only text.

use stoa_documents::decode::decode;

use super::Extracted;

/// Decodes; a plain text names no title.
pub(super) fn extract(bytes: &[u8]) -> Extracted {
    Extracted { title: None, text: decode(bytes).text.into_owned(), engine: "plain" }
}
