//! What comes of the step `text`: in this process where the format is simple, by whoever reads documents
//! where it is not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use stoa_documents::{Documents, Format, Problem, Reading, may_read};

use super::{AnalysisError, Contents};
use crate::model::Kind;
use crate::text::extract::{ExtractError, Extracted, extract, has_text};
use crate::text::sniff::Sniffed;

/// What the step gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// `done`, `failed` or `skipped`.
    pub(super) status: &'static str,
    /// What did it.
    pub(super) engine: Option<&'static str>,
    /// Why it failed, or which parts are missing from the text.
    pub(super) error: Option<String>,
    /// What the content calls itself.
    pub(super) title: Option<String>,
    /// Its text.
    pub(super) text: Option<String>,
}

impl Taken {
    fn failed(engine: Option<&'static str>, error: String) -> Self {
        Self { status: "failed", engine, error: Some(error), ..Self::default() }
    }

    fn skipped() -> Self {
        Self { status: "skipped", ..Self::default() }
    }

    /// What came of reading a document, unless that says nothing of the document.
    fn of(reading: Reading) -> Result<Self, AnalysisError> {
        let engine = reading.engine.map(stoa_documents::Engine::as_str);
        match reading.outcome {
            Ok(document) => Ok(Self {
                status: "done",
                engine,
                error: missing(&document.unread),
                title: document.title,
                text: Some(document.text),
            }),
            Err(Problem::Unsupported) => Ok(Self::skipped()),
            Err(Problem::Failed(problem)) => Ok(Self::failed(engine, problem)),
            Err(Problem::Unavailable(reason)) => Err(AnalysisError::Unavailable(reason)),
        }
    }
}

/// Whether contents of this media type are documents, which are not read in this process.
pub(super) fn is_read_aside(mime: &str) -> bool {
    may_read(mime)
}

/// Has a document read, and tells what it turned out to be.
///
/// # Errors
/// [`AnalysisError::Unavailable`].
pub(super) async fn read_aside(
    documents: &dyn Documents,
    sniffed: Sniffed,
    contents: &mut Contents,
) -> Result<(Sniffed, Taken), AnalysisError> {
    if !contents.is_whole() {
        let most = stoa_documents::INPUT_BYTES;
        let error = format!("{} bytes; documents are read up to {most}", contents.size);
        return Ok((sniffed, Taken::failed(None, error)));
    }
    let bytes = std::mem::take(&mut contents.bytes);
    let reading = documents.read(bytes, Format::of_mime(&sniffed.mime)).await;
    Ok((told_by(sniffed, reading.format), Taken::of(reading)?))
}

/// What a content is, now that it was looked into. An archive that is nothing else keeps its own name.
fn told_by(sniffed: Sniffed, format: Option<Format>) -> Sniffed {
    match format {
        Some(Format::Zip) if sniffed.kind == Kind::Archive => sniffed,
        Some(format) => Sniffed { kind: kind(format), mime: format.mime().to_owned() },
        None => sniffed,
    }
}

fn kind(format: Format) -> Kind {
    match format {
        Format::Mail | Format::Mailbox => Kind::Email,
        Format::Zip | Format::Tar | Format::Gzip | Format::Bzip2 | Format::Xz | Format::Zstd => Kind::Archive,
        Format::Pdf
        | Format::Docx
        | Format::Xlsx
        | Format::Pptx
        | Format::Doc
        | Format::Xls
        | Format::Ppt
        | Format::Odt
        | Format::Ods
        | Format::Odp
        | Format::Epub
        | Format::Rtf => Kind::Document,
    }
}

/// Which parts are missing, in one sentence.
fn missing(unread: &[String]) -> Option<String> {
    (!unread.is_empty()).then(|| format!("not read: {}", unread.join("; ")))
}

/// Takes the text of a content that is simple. Slow: not to be called where others wait.
pub(super) fn take(sniffed: &Sniffed, contents: &Contents) -> Taken {
    let (kind, mime) = (sniffed.kind, sniffed.mime.as_str());
    if has_text(kind, mime) && !contents.is_whole() {
        let size = usize::try_from(contents.size).unwrap_or(usize::MAX);
        return Taken::failed(None, ExtractError::TooLarge { size }.to_string());
    }
    run(|| extract(kind, mime, &contents.bytes))
}

/// Runs a parser; its panic is its own step's failure.
fn run(parser: impl FnOnce() -> Result<Option<Extracted>, ExtractError>) -> Taken {
    // What a parser leaves half done is dropped here.
    match catch_unwind(AssertUnwindSafe(parser)) {
        Ok(Ok(Some(Extracted { title, text, engine }))) => {
            Taken { status: "done", engine: Some(engine), error: None, title, text: Some(text) }
        }
        Ok(Ok(None)) => Taken::skipped(),
        Ok(Err(problem)) => Taken::failed(None, problem.to_string()),
        Err(_panic) => Taken::failed(None, "the parser panicked".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use stoa_documents::{Document, Engine};

    use super::*;

    #[test]
    fn a_panic_of_a_parser_is_its_own_steps_failure() {
        let died = run(|| panic!("broken table"));
        assert_eq!((died.status, died.error.as_deref()), ("failed", Some("the parser panicked")));
    }

    #[test]
    fn what_a_reading_gave_is_the_steps_result() {
        let read =
            |outcome| Taken::of(Reading { format: Some(Format::Pdf), engine: Some(Engine::Unpdf), outcome });
        let document = Document {
            title: None,
            text: "words".to_owned(),
            unread: vec!["page 2: broken".to_owned(), "page 3: broken".to_owned()],
        };
        let done = read(Ok(document)).unwrap();
        assert_eq!((done.status, done.engine, done.text.as_deref()), ("done", Some("unpdf"), Some("words")));
        assert_eq!(done.error.as_deref(), Some("not read: page 2: broken; page 3: broken"));
        let failed = read(Err(Problem::Failed("unpdf: broken".to_owned()))).unwrap();
        assert_eq!((failed.status, failed.engine), ("failed", Some("unpdf")));
        assert_eq!(failed.error.as_deref(), Some("unpdf: broken"));
        assert_eq!(read(Err(Problem::Unsupported)).unwrap(), Taken::skipped());
        let unavailable = read(Err(Problem::Unavailable("no worker".to_owned()))).unwrap_err();
        assert_eq!(unavailable.to_string(), "it can't be analyzed now: no worker");
    }

    #[test]
    fn content_tells_better_than_the_name_what_it_is() {
        let named = |kind, mime: &str| Sniffed { kind, mime: mime.to_owned() };
        let told = |sniffed, format| {
            let told = told_by(sniffed, Some(format));
            (told.kind, told.mime)
        };
        let docx = named(Kind::Document, Format::Docx.mime());
        assert_eq!(told(docx, Format::Zip), (Kind::Archive, "application/zip".to_owned()));
        let zip = named(Kind::Archive, "application/zip");
        assert_eq!(told(zip, Format::Odt), (Kind::Document, Format::Odt.mime().to_owned()));
        let jar = named(Kind::Archive, "application/java-archive");
        assert_eq!(told(jar.clone(), Format::Zip), (jar.kind, jar.mime));
    }
}
