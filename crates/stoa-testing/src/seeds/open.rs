//! OpenDocument and EPUB.

use super::Seed;
use super::packed::zip;

const NAMES: &str = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
    xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0""#;

pub(super) fn all() -> Vec<Seed> {
    vec![
        Seed {
            name: "log.odt",
            mime: "application/vnd.oasis.opendocument.text",
            bytes: log(),
            title: Some("Log of the Marigold"),
            words: &[
                "Day one",
                "The tide turned & we   sailed",
                "Author: Inés",
                "fog, gale",
                "footnote on ropes",
            ],
        },
        Seed {
            name: "stores.ods",
            mime: "application/vnd.oasis.opendocument.spreadsheet",
            bytes: open("spreadsheet", STORES),
            title: Some("Log of the Marigold"),
            words: &["Stores", "Hardtack 40 kg", "Citrons 12"],
        },
        Seed {
            name: "talk.odp",
            mime: "application/vnd.oasis.opendocument.presentation",
            bytes: open("presentation", TALK),
            title: Some("Log of the Marigold"),
            words: &["Knots for beginners", "The bowline holds"],
        },
        Seed {
            name: "tale.epub",
            mime: "application/epub+zip",
            bytes: tale(),
            title: Some("The Tale of the Reef"),
            words: &["Chapter the first", "pearls & coral", "Chapter the second", "Author: M. Brandt"],
        },
    ]
}

/// A document with a heading, marks of change, a list, spaces and a note.
pub(super) fn log() -> Vec<u8> {
    open("text", LOG)
}

const LOG: &str = r#"<text:tracked-changes><text:p>deleted words</text:p></text:tracked-changes>
    <text:h text:outline-level="1">Day one</text:h>
    <text:p>The <text:span>tide</text:span> turned &amp; we<text:s text:c="3"/>sailed.<text:note><text:note-body>
    <text:p>A footnote on ropes</text:p></text:note-body></text:note></text:p>
    <text:list><text:list-item><text:p>sails</text:p></text:list-item></text:list>"#;

const STORES: &str = r#"<table:table table:name="Stores"><table:table-row><table:table-cell><text:p>Hardtack</text:p>
    </table:table-cell><table:table-cell table:number-columns-repeated="16000"><text:p>40 kg</text:p>
    </table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Citrons</text:p></table:table-cell>
    <table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>"#;

const TALK: &str = r#"<draw:page draw:name="page1"><draw:frame><draw:text-box><text:p>Knots for beginners</text:p>
    </draw:text-box></draw:frame></draw:page><draw:page draw:name="page2"><draw:frame><draw:text-box>
    <text:p>The bowline holds.</text:p></draw:text-box></draw:frame></draw:page>"#;

/// An OpenDocument file of this kind with this body.
#[must_use]
pub fn open(kind: &str, body: &str) -> Vec<u8> {
    let content = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMES}><office:automatic-styles/>
        <office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"#
    );
    let meta = format!(
        r"<office:document-meta {NAMES}><office:meta><dc:title>Log of the Marigold</dc:title>
        <dc:creator>Inés</dc:creator><meta:keyword>fog</meta:keyword><meta:keyword>gale</meta:keyword>
        </office:meta></office:document-meta>"
    );
    let mime = format!("application/vnd.oasis.opendocument.{kind}");
    zip(&[("mimetype", &mime), ("content.xml", &content), ("meta.xml", &meta)])
}

fn tale() -> Vec<u8> {
    let container = r#"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
        <rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
    let book = r#"<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
        <dc:title>The Tale of the Reef</dc:title><dc:creator>M. Brandt</dc:creator></metadata><manifest>
        <item id="b" href="text/second%20part.xhtml"/><item id="a" href="text/first.xhtml"/></manifest>
        <spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#;
    zip(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OEBPS/book.opf", book),
        ("OEBPS/text/second part.xhtml", "<html><body><h1>Chapter the second</h1><p>End.</p></body></html>"),
        (
            "OEBPS/text/first.xhtml",
            "<html><body><h1>Chapter the first</h1><p>pearls &amp; coral</p></body></html>",
        ),
    ])
}
