//! What bytes are that are not text.

use infer::MatcherType;
use stoa_documents::may_read;

use super::names::Name;
use super::{Sniffed, unread};
use crate::model::Kind;

/// Media types of magic numbers that are filed among archives, but are none.
const DOCUMENTS: &[&str] =
    &["application/pdf", "application/rtf", "application/postscript", "application/epub+zip"];

/// Media types whose files may be documents in a package; the name tells.
const PACKAGES: &[&str] = &["application/zip", "application/x-ole-storage"];

pub(super) fn sniff(name: &Name, head: &[u8]) -> Sniffed {
    match infer::get(head) {
        Some(magic) => by_magic(name, magic.matcher_type(), magic.mime_type()),
        None => by_name(name),
    }
}

fn by_magic(name: &Name, matched: MatcherType, mime: &str) -> Sniffed {
    if let Some(document) = name.packed().filter(|_| PACKAGES.contains(&mime)) {
        return Sniffed::new(Kind::Document, document);
    }
    let kind = match matched {
        _ if DOCUMENTS.contains(&mime) => Kind::Document,
        _ if mime == "application/vnd.sqlite3" => Kind::Data,
        MatcherType::Doc | MatcherType::Book => Kind::Document,
        MatcherType::Image => Kind::Image,
        MatcherType::Audio => Kind::Audio,
        MatcherType::Video => Kind::Video,
        MatcherType::Archive if mime != "application/octet-stream" => Kind::Archive,
        _ => Kind::Other,
    };
    Sniffed::new(kind, mime)
}

/// A name is believed where it speaks of bytes: not where it promises text. One that promises a document is
/// taken at its word, so that what is damaged is said to be.
fn by_name(name: &Name) -> Sniffed {
    let named = unread::sniff(name);
    if may_read(&named.mime) {
        return named;
    }
    let mime = name.registered().unwrap_or_default();
    let kind = match mime.split('/').next() {
        Some("audio") => Kind::Audio,
        Some("video") => Kind::Video,
        Some("image") if !mime.ends_with("xml") => Kind::Image,
        _ => return Sniffed::new(Kind::Other, "application/octet-stream"),
    };
    Sniffed::new(kind, mime)
}
