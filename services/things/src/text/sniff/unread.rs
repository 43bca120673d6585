//! What a content is of which no byte is at hand: it is empty, or too large or too far to be read yet.

use super::Sniffed;
use super::names::Name;
use crate::model::Kind;

/// Media types, beside those of the tables, that are documents or archives.
const APPLICATIONS: &[(Kind, &[&str])] = &[
    (Kind::Document, &["application/pdf", "application/rtf", "application/postscript"]),
    (
        Kind::Archive,
        &[
            "application/zip",
            "application/gzip",
            "application/x-tar",
            "application/x-bzip2",
            "application/x-xz",
            "application/x-7z-compressed",
            "application/x-rar-compressed",
            "application/zstd",
            "application/java-archive",
        ],
    ),
];

pub(super) fn sniff(name: &Name) -> Sniffed {
    if let Some((kind, mime)) = name.textual() {
        return Sniffed::new(kind, mime);
    }
    if let Some(mime) = name.packed() {
        return Sniffed::new(Kind::Document, mime);
    }
    let mime = name.registered().unwrap_or("application/octet-stream");
    Sniffed::new(kind_of(mime), mime)
}

fn kind_of(mime: &str) -> Kind {
    match mime.split('/').next() {
        Some("text") => Kind::Document,
        Some("image") => Kind::Image,
        Some("audio") => Kind::Audio,
        Some("video") => Kind::Video,
        _ => {
            let listed = APPLICATIONS.iter().find(|(_, mimes)| mimes.contains(&mime));
            listed.map_or(Kind::Other, |(kind, _)| *kind)
        }
    }
}
