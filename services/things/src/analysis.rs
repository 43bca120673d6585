//! From bytes to what the catalog keeps: the steps `identify` (media type, size, BLAKE3) and `text`. A
//! content that a parser chokes on fails its own step and nothing else.

mod contents;
mod taken;

use stoa_base::text::clip::clip;
use stoa_base::{Ambient, Timestamp};
use stoa_documents::Documents;
use tokio::task::{JoinError, spawn_blocking};

pub use contents::Contents;

use self::taken::{Taken, is_read_aside, read_aside, take};
use crate::model::Kind;
use crate::store::catalog::Analyzed;
use crate::store::index::Words;
use crate::store::step::Step;
use crate::store::thing::Description;
use crate::text::chief::chief_words;
use crate::text::extract::{INPUT_BYTES, has_text};
use crate::text::sniff::{Sniffed, sniff};
use crate::text::tokens::tokens;
use crate::text::units::cut;

/// The step that says what a content is.
pub const IDENTIFY: &str = "identify";
/// The step that takes its text out.
pub const TEXT: &str = "text";
/// What a content is identified by.
const IDENTIFY_ENGINE: &str = "blake3";
/// How much of a text's own title is kept, in characters.
const TITLE_CHARS: usize = 2_000;

/// What is known of a content by its key alone, until its bytes are read.
#[must_use]
pub fn describe_unread(key: &str, size: i64) -> Description {
    let textual = sniff(key, b"");
    // A name that says nothing of text may say something of bytes.
    let sniffed = if textual.mime == "text/plain" { sniff(key, b"\0") } else { textual };
    Description { kind: sniffed.kind, mime: sniffed.mime, size, title: None, text_length: None }
}

/// A content was not analyzed, which says nothing of it: it is to be tried again.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// Nobody reads documents at the moment, and why.
    #[error("it can't be analyzed now: {0}")]
    Unavailable(String),
    /// The thread that did it died.
    #[error("its analysis died: {0}")]
    Died(#[from] JoinError),
}

/// Takes every step over a content: documents are read by `documents`, the rest on a thread that may be kept
/// busy. Dropping the future ends the reading of a document.
///
/// # Errors
/// [`AnalysisError`] where it could not be done, whatever the content is.
pub async fn analyze_aside(
    ambient: &Ambient,
    documents: &dyn Documents,
    key: &str,
    mut contents: Contents,
) -> Result<Analyzed, AnalysisError> {
    let begun = ambient.now();
    let sniffed = sniff(key, &contents.bytes);
    if is_read_aside(&sniffed.mime) {
        let (sniffed, taken) = read_aside(documents, sniffed, &mut contents).await?;
        let ambient = ambient.clone();
        let done = spawn_blocking(move || analyzed(&ambient, begun, sniffed, &contents, taken)).await;
        return Ok(done?);
    }
    let ambient = ambient.clone();
    let done = spawn_blocking(move || {
        let taken = take(&sniffed, &contents);
        analyzed(&ambient, begun, sniffed, &contents, taken)
    });
    Ok(done.await?)
}

/// What was found out, the text in units for the index.
fn analyzed(
    ambient: &Ambient,
    begun: Timestamp,
    sniffed: Sniffed,
    contents: &Contents,
    taken: Taken,
) -> Analyzed {
    let indexed = taken.text.as_ref().map(|text| indexed(taken.title.as_deref(), text));
    let Indexed { units, note } = indexed.unwrap_or_default();
    let identify = Step {
        step: IDENTIFY.to_owned(),
        status: "done".to_owned(),
        duration_ms: contents.duration_ms,
        engine: Some(IDENTIFY_ENGINE.to_owned()),
        error: None,
    };
    let text = Step {
        step: TEXT.to_owned(),
        status: taken.status.to_owned(),
        duration_ms: millis_since(ambient, begun),
        engine: taken.engine.map(str::to_owned),
        error: joined(taken.error, note),
    };
    let length = taken.text.as_ref().map(|text| text.chars().count());
    let description = Description {
        kind: sniffed.kind,
        mime: sniffed.mime,
        size: contents.size,
        title: taken.title.map(|title| clip(&title, TITLE_CHARS).0.to_owned()),
        text_length: length.map(|length| i64::try_from(length).unwrap_or(i64::MAX)),
    };
    Analyzed { description, text: taken.text, steps: vec![identify, text], units }
}

/// What is missing from a text, and what from the index, in one line.
fn joined(missing: Option<String>, note: Option<String>) -> Option<String> {
    match (missing, note) {
        (Some(missing), Some(note)) => Some(format!("{missing}; {note}")),
        (missing, note) => missing.or(note),
    }
}

/// What the index learns of a text.
#[derive(Debug, Default)]
struct Indexed {
    units: Vec<Words>,
    /// What it does not learn.
    note: Option<String>,
}

/// What the index learns of a text. Its title and its chief words stand in the first unit.
pub(crate) fn index_units(title: Option<&str>, text: &str) -> Vec<Words> {
    indexed(title, text).units
}

fn indexed(title: Option<&str>, text: &str) -> Indexed {
    let title = clip(title.unwrap_or_default(), TITLE_CHARS).0;
    let cut = cut(text);
    let note = cut.ended_after.map(|count| format!("not indexed: what follows the first {count} words"));
    let mut bodies = cut.units.into_iter();
    let first = Words {
        title: tokens(title).join(" "),
        chief: chief_words(title, text).join(" "),
        body: bodies.next().unwrap_or_default(),
        ..Words::default()
    };
    if first == Words::default() {
        return Indexed { units: Vec::new(), note };
    }
    let rest = bodies.map(|body| Words { body, ..Words::default() });
    Indexed { units: std::iter::once(first).chain(rest).collect(), note }
}

/// Whether the text of such a content is wanted: else its beginning is enough.
fn wants_text(kind: Kind, mime: &str, size: usize) -> bool {
    if is_read_aside(mime) {
        size <= stoa_documents::INPUT_BYTES
    } else {
        has_text(kind, mime) && size <= INPUT_BYTES
    }
}

fn millis_since(ambient: &Ambient, begun: Timestamp) -> i64 {
    i64::try_from(ambient.now().since(begun).as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
