//! What bytes are: by their content first, by their name second.

mod binary;
mod names;
mod textual;
mod unread;

use crate::model::Kind;

/// How much of a content's beginning is worth handing to [`sniff`], in bytes.
pub const HEAD_BYTES: usize = 8_192;

/// What a content is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// The sort of content.
    pub kind: Kind,
    /// The media type (RFC 6838), without parameters.
    pub mime: String,
}

impl Sniffed {
    fn new(kind: Kind, mime: &str) -> Self {
        Self { kind, mime: mime.to_owned() }
    }
}

/// Says what a content is from its name (or its whole key) and its first bytes: whether they are
/// text, and their magic numbers, count before the name does. A `.png` that holds text is no image,
/// and a `.ts` is `TypeScript` if it holds text. Without bytes the name alone counts.
#[must_use]
pub fn sniff(name: &str, head: &[u8]) -> Sniffed {
    let name = names::Name::of(name);
    let head = &head[..head.len().min(HEAD_BYTES)];
    match head {
        [] => unread::sniff(&name),
        _ if is_text(head) => textual::sniff(&name, head),
        _ => binary::sniff(&name, head),
    }
}

/// Whether the bytes read as text: they carry a byte order mark, or hold no control character but
/// those of white space, the form feed and the escape of terminals.
fn is_text(head: &[u8]) -> bool {
    let marked = encoding_rs::Encoding::for_bom(head).is_some();
    let control = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    marked || !head.iter().any(control)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    const ZIP: &[u8] = b"PK\x03\x04\x14\0\0\0\x08\0";

    fn kind(name: &str, head: impl AsRef<[u8]>) -> Kind {
        sniff(name, head.as_ref()).kind
    }

    fn mime(name: &str, head: impl AsRef<[u8]>) -> String {
        sniff(name, head.as_ref()).mime
    }

    #[test]
    fn content_comes_before_the_name() {
        assert_eq!(sniff("notes.txt", PNG), Sniffed::new(Kind::Image, "image/png"));
        assert_eq!(sniff("fake.png", b"only words"), Sniffed::new(Kind::Document, "text/plain"));
        assert_eq!(sniff("fake.txt", b"%PDF-1.7\nwords"), Sniffed::new(Kind::Document, "application/pdf"));
        assert_eq!(kind("BMW.txt", "BMW is a maker of cars"), Kind::Document);
        assert_eq!(kind("fake.md", b"\x01\x02\x03\0"), Kind::Other);
    }

    #[test]
    fn the_name_decides_between_sorts_of_text() {
        for (name, expected, expected_mime) in [
            ("a.md", Kind::Document, "text/markdown"),
            ("a.txt", Kind::Document, "text/plain"),
            ("README", Kind::Document, "text/plain"),
            ("a.csv", Kind::Data, "text/csv"),
            ("a.JSON", Kind::Data, "application/json"),
            ("a.xml", Kind::Data, "application/xml"),
            ("a.yml", Kind::Data, "application/yaml"),
            ("Cargo.toml", Kind::Data, "application/toml"),
            ("src/a.rs", Kind::Code, "text/x-rust"),
            ("a.ts", Kind::Code, "text/x-typescript"),
            ("deep/Makefile", Kind::Code, "text/x-makefile"),
            ("a.html", Kind::Web, "text/html"),
            ("a.svg", Kind::Image, "image/svg+xml"),
            ("a.eml", Kind::Email, "message/rfc822"),
            ("a.mbox", Kind::Email, "application/mbox"),
        ] {
            assert_eq!(sniff(name, b"words"), Sniffed::new(expected, expected_mime), "{name}");
        }
    }

    #[test]
    fn text_without_a_telling_name_is_known_by_its_beginning() {
        assert_eq!(kind("run", "#!/usr/bin/env python3\n"), Kind::Code);
        assert_eq!(mime("run", "#!/usr/bin/env -S python3 -u\n"), "text/x-python");
        assert_eq!(mime("run", "#!/bin/bash -e\n"), "text/x-shellscript");
        assert_eq!(kind("page", "\n<!DOCTYPE HTML><p>"), Kind::Web);
        assert_eq!(kind("feed", "\u{FEFF}<?xml version='1.0'?>"), Kind::Data);
        assert_eq!(kind("drawing", "<svg xmlns="), Kind::Image);
        assert_eq!(
            kind("1700.host:2,S", "Received: by x\r\nFrom: a@b\r\nSubject: hi\r\n\r\nhi"),
            Kind::Email
        );
        assert_eq!(kind("inbox", "From a@b Mon Nov 30\nFrom: a@b\nDate: x\n\nhi"), Kind::Email);
        assert_eq!(kind("letter", "From: me\nTo: you\n\nDear you"), Kind::Document);
    }

    #[test]
    fn without_bytes_the_name_alone_counts() {
        for (name, expected) in [
            ("a.md", Kind::Document),
            ("a.log", Kind::Document),
            ("a.pdf", Kind::Document),
            ("a.docx", Kind::Document),
            ("a.rs", Kind::Code),
            ("a.json", Kind::Data),
            ("a.PNG", Kind::Image),
            ("a.mp3", Kind::Audio),
            ("a.mkv", Kind::Video),
            ("a.zip", Kind::Archive),
            ("a.tar.gz", Kind::Archive),
            ("a.tar.xz", Kind::Archive),
            ("a.7z", Kind::Archive),
            ("a.rar", Kind::Archive),
            ("a.unheard", Kind::Other),
            ("a", Kind::Other),
        ] {
            assert_eq!(kind(name, b""), expected, "{name}");
        }
    }

    #[test]
    fn text_in_utf_16_is_text() {
        let bytes: Vec<u8> = "\u{FEFF}hello".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(kind("a.txt", bytes), Kind::Document);
    }

    #[test]
    fn packed_documents_are_documents_and_other_packed_files_archives() {
        assert_eq!(kind("a.zip", ZIP), Kind::Archive);
        assert_eq!(kind("a.docx", ZIP), Kind::Document);
        assert_eq!(kind("a.epub", ZIP), Kind::Document);
        assert_eq!(kind("a", [ZIP, &[0; 20], b"mimetypeapplication/epub+zip"].concat()), Kind::Document);
        assert_eq!(kind("a.tar.gz", b"\x1f\x8b\x08\0"), Kind::Archive);
        assert_eq!(
            kind("a.doc", [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 64]].concat()),
            Kind::Document
        );
    }

    #[test]
    fn other_binaries_are_known_by_magic_then_by_name() {
        assert_eq!(kind("a", b"ID3\x04\0\0"), Kind::Audio);
        assert_eq!(mime("a.ts", b"G\x40\0\x10\0"), "video/mp2t");
        assert_eq!(kind("a.db", b"SQLite format 3\0"), Kind::Data);
        assert_eq!(kind("a", b"\x7fELF\x02\x01\x01\0"), Kind::Other);
        assert_eq!(kind("a.mp3", b"\0\0\0\x01"), Kind::Audio);
        assert_eq!(sniff("a.rs", b"\0\0\0\x01"), Sniffed::new(Kind::Other, "application/octet-stream"));
        for (name, kind) in [("a.pdf", Kind::Document), ("a.docx", Kind::Document), ("a.eml", Kind::Email)] {
            assert_eq!(sniff(name, b"\0\0\0\x01").kind, kind, "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(
            name in "[a-z./]{0,12}",
            magic in prop::sample::select(vec![&b""[..], PNG, ZIP, b"%PDF-", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"#!"]),
            rest in any::<Vec<u8>>(),
        ) {
            let sniffed = sniff(&name, &[magic, &rest].concat());
            prop_assert!(sniffed.mime.contains('/') && sniffed.kind != Kind::Note);
        }
    }
}
