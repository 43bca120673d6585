use stoa_testing::{Here, fixed};

use super::*;

fn contents(bytes: &[u8]) -> Contents {
    Contents {
        hash: blake3::hash(bytes).into(),
        size: i64::try_from(bytes.len()).unwrap(),
        modified_at: stoa_testing::START,
        bytes: bytes.to_vec(),
        duration_ms: 0,
    }
}

async fn analyze(key: &str, contents: Contents) -> Analyzed {
    analyze_aside(&fixed(), &Here, key, contents).await.unwrap()
}

fn statuses(analyzed: &Analyzed) -> Vec<(&str, &str)> {
    analyzed.steps.iter().map(|step| (step.step.as_str(), step.status.as_str())).collect()
}

#[tokio::test]
async fn a_text_is_identified_taken_out_and_cut_for_the_index() {
    let page = b"<title>Annual Report</title><p>Revenue rose. Revenue fell. Revenue stayed.";
    let analyzed = analyze("a/report.html", contents(page)).await;
    assert_eq!(statuses(&analyzed), [(IDENTIFY, "done"), (TEXT, "done")]);
    assert_eq!(analyzed.description.kind, Kind::Web);
    assert_eq!(analyzed.description.title.as_deref(), Some("Annual Report"));
    let length = analyzed.text.as_ref().unwrap().chars().count();
    assert_eq!(analyzed.description.text_length, i64::try_from(length).ok());
    let [unit] = &analyzed.units[..] else { panic!("one unit") };
    assert_eq!(unit.title, "annual report");
    assert!(unit.chief.split(' ').any(|word| word == "revenue"));
    assert!(unit.body.contains("revenue rose revenue fell"));
}

#[tokio::test]
async fn a_content_without_text_skips_that_step() {
    let analyzed = analyze("a.png", contents(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")).await;
    assert_eq!(statuses(&analyzed), [(IDENTIFY, "done"), (TEXT, "skipped")]);
    assert_eq!((analyzed.text, analyzed.units), (None, Vec::new()));
}

#[tokio::test]
async fn only_the_beginning_of_a_text_is_a_failed_step() {
    let mut beginning = contents(b"words and words");
    beginning.size = 1 << 40;
    let analyzed = analyze("a.txt", beginning).await;
    assert_eq!(statuses(&analyzed), [(IDENTIFY, "done"), (TEXT, "failed")]);
    let error = analyzed.steps[1].error.as_deref().unwrap();
    assert_eq!(error, "1099511627776 bytes; text is taken from at most 16777216");
    assert_eq!(analyzed.description.size, 1 << 40);
}

#[tokio::test]
async fn a_document_is_read_whatever_its_name_says() {
    let letter = br"{\rtf1{\info{\title A letter}}Dear friend}";
    let analyzed = analyze("a/letter.zip", contents(letter)).await;
    assert_eq!(statuses(&analyzed), [(IDENTIFY, "done"), (TEXT, "done")]);
    assert_eq!(
        (analyzed.description.kind, analyzed.description.mime.as_str()),
        (Kind::Document, "application/rtf")
    );
    assert_eq!(analyzed.description.title.as_deref(), Some("A letter"));
    assert_eq!(analyzed.text.as_deref(), Some("Dear friend"));
    assert_eq!(analyzed.steps[1].engine.as_deref(), Some("rtf"));
    assert_eq!(analyzed.description.size, i64::try_from(letter.len()).unwrap());
}

#[tokio::test]
async fn a_document_that_is_broken_says_so() {
    let analyzed = analyze("a/book.epub", contents(b"PK\x03\x04\x14\0\0\0 cut off")).await;
    assert_eq!(statuses(&analyzed), [(IDENTIFY, "done"), (TEXT, "failed")]);
    assert!(analyzed.steps[1].error.as_deref().unwrap().starts_with("epub: "));
    assert_eq!(analyzed.description.kind, Kind::Document);
}

#[tokio::test]
async fn only_the_beginning_of_a_document_is_a_failed_step() {
    let mut beginning = contents(b"%PDF-1.7 and so on");
    beginning.size = 1 << 40;
    let analyzed = analyze("a.pdf", beginning).await;
    let error = analyzed.steps[1].error.as_deref().unwrap();
    assert_eq!(error, "1099511627776 bytes; documents are read up to 67108864");
}

#[test]
fn an_unread_content_is_described_by_its_name() {
    for (key, kind) in [
        ("a/film.mp4", Kind::Video),
        ("a/song.mp3", Kind::Audio),
        ("a/table.csv", Kind::Data),
        ("a/page.html", Kind::Web),
        ("a/image.iso", Kind::Other),
    ] {
        assert_eq!(describe_unread(key, 1).kind, kind, "{key}");
    }
}
