//! HTML: what a reader of the page reads.

use stoa_documents::html::read;

use super::Extracted;

/// Decodes, and drops what is not shown.
pub(super) fn extract(bytes: &[u8]) -> Extracted {
    let page = read(bytes);
    Extracted { title: page.title, text: page.text, engine: "html" }
}
