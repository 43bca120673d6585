//! From bytes to what the catalog keeps: the steps `identify` (media type, size, BLAKE3) and `text`. A
//! content that a parser chokes on fails its own step and nothing else.

mod contents;

use std::panic::{AssertUnwindSafe, catch_unwind};

use stoa_base::text::clip::clip;
use stoa_base::{Ambient, Timestamp};
use tokio::task::{JoinError, spawn_blocking};

pub use contents::Contents;

use crate::model::Kind;
use crate::store::catalog::Analyzed;
use crate::store::index::Words;
use crate::store::step::Step;
use crate::store::thing::Description;
use crate::text::chief::chief_words;
use crate::text::extract::{ExtractError, Extracted, INPUT_BYTES, extract, has_text};
use crate::text::sniff::{Sniffed, sniff};
use crate::text::tokens::tokens;
use crate::text::units::units;

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

/// Takes every step over a content, on a thread that may be kept busy.
///
/// # Errors
/// [`JoinError`] where that thread died.
pub async fn analyze_aside(ambient: &Ambient, key: &str, contents: Contents) -> Result<Analyzed, JoinError> {
    let (ambient, key) = (ambient.clone(), key.to_owned());
    spawn_blocking(move || analyze(&ambient, &key, &contents)).await
}

/// Takes every step over a content. Slow: not to be called where others wait.
#[must_use]
pub fn analyze(ambient: &Ambient, key: &str, contents: &Contents) -> Analyzed {
    let begun = ambient.now();
    let sniffed = sniff(key, &contents.bytes);
    let identify = Step {
        step: IDENTIFY.to_owned(),
        status: "done".to_owned(),
        duration_ms: millis_since(ambient, begun).saturating_add(contents.duration_ms),
        engine: Some(IDENTIFY_ENGINE.to_owned()),
        error: None,
    };
    let begun = ambient.now();
    let taken = take_text(&sniffed, contents);
    let text = Step { duration_ms: millis_since(ambient, begun), ..text_step(&taken) };
    let extracted = taken.ok().flatten();
    let units = extracted.as_ref().map(|taken| index_units(taken.title.as_deref(), &taken.text));
    Analyzed {
        description: description(sniffed, contents.size, extracted.as_ref()),
        text: extracted.map(|extracted| extracted.text),
        steps: vec![identify, text],
        units: units.unwrap_or_default(),
    }
}

/// No text was taken, for this reason.
#[derive(Debug, thiserror::Error)]
enum TextError {
    #[error(transparent)]
    Extract(#[from] ExtractError),
    #[error("the parser panicked")]
    Panicked,
}

fn take_text(sniffed: &Sniffed, contents: &Contents) -> Result<Option<Extracted>, TextError> {
    let (kind, mime) = (sniffed.kind, sniffed.mime.as_str());
    if has_text(kind, mime) && !contents.is_whole() {
        let size = usize::try_from(contents.size).unwrap_or(usize::MAX);
        return Err(ExtractError::TooLarge { size }.into());
    }
    run(|| extract(kind, mime, &contents.bytes))
}

/// Runs a parser; its panic is its own step's failure.
fn run<T>(parser: impl FnOnce() -> Result<T, ExtractError>) -> Result<T, TextError> {
    // What a parser leaves half done is dropped here.
    match catch_unwind(AssertUnwindSafe(parser)) {
        Ok(taken) => Ok(taken?),
        Err(_panic) => Err(TextError::Panicked),
    }
}

/// The step's result, its duration still to be told.
fn text_step(taken: &Result<Option<Extracted>, TextError>) -> Step {
    let (status, engine, error) = match taken {
        Ok(Some(extracted)) => ("done", Some(extracted.engine.to_owned()), None),
        Ok(None) => ("skipped", None, None),
        Err(problem) => ("failed", None, Some(problem.to_string())),
    };
    Step { step: TEXT.to_owned(), status: status.to_owned(), duration_ms: 0, engine, error }
}

fn description(sniffed: Sniffed, size: i64, extracted: Option<&Extracted>) -> Description {
    let title = extracted.and_then(|extracted| extracted.title.as_deref());
    let length = extracted.map(|extracted| extracted.text.chars().count());
    Description {
        kind: sniffed.kind,
        mime: sniffed.mime,
        size,
        title: title.map(|title| clip(title, TITLE_CHARS).0.to_owned()),
        text_length: length.map(|length| i64::try_from(length).unwrap_or(i64::MAX)),
    }
}

/// What the index learns of a text. Its title and its chief words stand in the first unit.
pub(crate) fn index_units(title: Option<&str>, text: &str) -> Vec<Words> {
    let title = clip(title.unwrap_or_default(), TITLE_CHARS).0;
    let mut bodies = units(text).into_iter();
    let first = Words {
        title: tokens(title).join(" "),
        chief: chief_words(title, text).join(" "),
        body: bodies.next().unwrap_or_default(),
        ..Words::default()
    };
    if first == Words::default() {
        return Vec::new();
    }
    let rest = bodies.map(|body| Words { body, ..Words::default() });
    std::iter::once(first).chain(rest).collect()
}

/// Whether the text of such a content is wanted: else its beginning is enough.
fn wants_text(kind: Kind, mime: &str, size: usize) -> bool {
    has_text(kind, mime) && size <= INPUT_BYTES
}

fn millis_since(ambient: &Ambient, begun: Timestamp) -> i64 {
    i64::try_from(ambient.now().since(begun).as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
