//! Every format, read whole, misnamed and damaged.

#![cfg(all(feature = "pdf", feature = "office"))]

use stoa_documents::{Document, Engine, Format, Problem, Reading, read};
use stoa_testing::seeds::{self, Seed};

fn seed(name: &str) -> Seed {
    seeds::all().into_iter().find(|seed| seed.name == name).unwrap()
}

/// Only mails don't tell what they are.
fn hint(seed: &Seed) -> Option<Format> {
    Format::of_mime(seed.mime).filter(|format| matches!(format, Format::Mail | Format::Mailbox))
}

fn document(reading: Reading) -> Document {
    reading.outcome.unwrap()
}

#[track_caller]
fn assert_said(name: &str, document: &Document, words: &[&str]) {
    let text = document.text.split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in words {
        let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&phrase), "{name}: {phrase:?} is missing in: {text}");
    }
}

#[test]
fn every_format_is_told_by_its_content_and_its_words_are_found() {
    for seed in seeds::all() {
        let reading = read(&seed.bytes, hint(&seed), 0);
        assert_eq!(reading.format.map(Format::mime), Some(seed.mime), "{}", seed.name);
        let document = document(reading);
        assert_eq!(document.unread, Vec::<String>::new(), "{}", seed.name);
        assert_eq!(document.title.as_deref(), seed.title, "{}", seed.name);
        assert_said(seed.name, &document, seed.words);
    }
}

#[test]
fn what_was_deleted_or_is_code_is_not_read() {
    let text = document(read(&seed("log.odt").bytes, None, 0)).text;
    assert!(text.contains("we   sailed") && !text.contains("deleted"), "{text}");
    let text = document(read(&seed("letter.rtf").bytes, None, 0)).text;
    assert!(!text.contains("HYPERLINK") && !text.contains("Arial") && !text.contains("8950"), "{text}");
}

#[test]
fn the_second_parser_reads_a_pdf_that_lost_its_head() {
    let whole = seed("report.pdf");
    let head = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".len();
    let headless = &whole.bytes[head..];
    let reading = read(headless, Some(Format::Pdf), 1);
    assert_eq!(reading.engine, Some(Engine::PdfOxide));
    assert_said("headless", &document(reading), &whole.words[1..3]);
}

#[test]
fn an_archive_that_breaks_off_is_read_so_far() {
    let whole = seed("cargo.tar");
    let document = document(read(&whole.bytes[..1_600], None, 0));
    assert_said("cut.tar", &document, &whole.words[..1]);
    assert_eq!(document.unread.len(), 1);
}

#[test]
fn a_part_that_unpacks_to_too_much_is_named() {
    let body = "<text:p>x</text:p>".repeat(5_000_000);
    let Err(Problem::Failed(problem)) = read(&seeds::open::open("text", &body), None, 0).outcome else {
        panic!("failed")
    };
    assert_eq!(problem, "opendocument: content.xml unpacks to more than 67108864 bytes");
}

#[test]
fn depth_is_only_long() {
    let deep = "<text:span>".repeat(100_000) + "bottom";
    let body = format!("<text:p>top {deep}</text:p>");
    assert_said("deep.odt", &document(read(&seeds::open::open("text", &body), None, 0)), &["top bottom"]);
    let nested: String =
        (0..50).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n")).collect();
    let mail = format!("From: a@b\r\nSubject: deep\r\n{nested}Content-Type: text/plain\r\n\r\nbottom\r\n");
    assert_said("deep.eml", &document(read(mail.as_bytes(), Some(Format::Mail), 0)), &["deep"]);
}
