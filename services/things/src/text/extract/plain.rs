//! Text that is only text.

use super::Extracted;
use crate::text::decode::decode;

/// Decodes; a plain text names no title.
pub(super) fn extract(bytes: &[u8]) -> Extracted {
    Extracted { title: None, text: decode(bytes).text.into_owned(), engine: "plain" }
}
