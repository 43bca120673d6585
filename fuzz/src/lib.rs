//! What the targets of documents share: reading as the worker reads, and packing parts.
//!
//! A stranger's parser may panic: the worker catches that and says that this document can't be read. It may not
//! take more time, memory or stack than the worker has, for then the worker dies of it. What is ours never
//! panics at all.

use std::backtrace::Backtrace;
use std::fs::File;
use std::io::{Cursor, Write};
use std::os::unix::fs::FileExt;
use std::panic::catch_unwind;
use std::process::abort;
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

use stoa_documents::{Document, Engine, Format, Problem, TEXT_BYTES, read};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What a line begins with that names a part.
const PART: &str = "@@ ";
/// The most characters of a title, and of what is said of a part that could not be read.
const LINE_CHARS: usize = 2_000;
/// How a reading says that a parser panicked.
const PANICKED: &str = "the parser panicked";

/// Where a parser of mails panics that checks itself in builds for debugging. Its surroundings are ours.
const MAIL_PARSER: &str = "/mail-parser-";

/// What was said at the last panic.
static LAST: Mutex<String> = Mutex::new(String::new());

/// Reads a document and holds the reading to what is promised of it. `hint` and `skip` are those of a request.
pub fn attempt(bytes: &[u8], hint: Option<Format>, skip: usize) {
    hear_panics();
    note(bytes);
    let Ok(reading) = catch_unwind(|| read(bytes, hint, skip)) else {
        give_up("a panic outside of the parsers")
    };
    match reading.outcome {
        Ok(document) => check(&document),
        Err(Problem::Failed(problem)) if problem.contains(PANICKED) && is_ours(reading.engine, &last()) => {
            give_up(&problem);
        }
        Err(_) => {}
    }
}

/// Notes what is read next in the file that `FUZZ_LAST` names: a stack that is used up ends the process before
/// libFuzzer can tell of what.
fn note(bytes: &[u8]) {
    static LAST: OnceLock<Option<File>> = OnceLock::new();
    let open = || std::env::var_os("FUZZ_LAST").map(|path| File::create(path).expect("a file"));
    if let Some(file) = LAST.get_or_init(open) {
        file.set_len(bytes.len() as u64).expect("a file");
        file.write_all_at(bytes, 0).expect("a file");
    }
}

/// Whether what panicked was written here: the parser itself, or what surrounds the one it is named for.
fn is_ours(engine: Option<Engine>, panic: &str) -> bool {
    let said_at = panic.lines().next().unwrap_or_default();
    !matches!(engine, Some(Engine::Unpdf | Engine::PdfOxide | Engine::Undoc))
        && !said_at.contains(MAIL_PARSER)
}

fn check(document: &Document) {
    assert!(document.text.len() <= TEXT_BYTES && !document.text.contains('\0'));
    let lines = document.title.iter().chain(&document.unread);
    for line in lines {
        assert!(line.chars().count() <= LINE_CHARS && !line.contains(['\0', '\n']), "{line:?}");
    }
}

/// libFuzzer's own hook would end the process at a panic that is caught. The panics of targets end it all the
/// same: libFuzzer catches none but to abort.
fn hear_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            *last() = format!("{panic}\n{}", Backtrace::force_capture());
        }));
    });
}

fn last() -> MutexGuard<'static, String> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn give_up(problem: &str) -> ! {
    eprintln!("{problem}: {}", last());
    abort()
}

/// A document of parts: a ZIP archive as it is, else a text that lists the parts, each as a line `@@ name` and its
/// content. A change to the text is a change to a part, where one to the archive is mostly a wrong checksum.
#[must_use]
pub fn packed(input: &[u8]) -> Vec<u8> {
    if input.starts_with(b"PK") {
        return input.to_vec();
    }
    let listed = String::from_utf8_lossy(input);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for part in listed.split(PART).skip(1) {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        // A name may be there already, or be too long.
        if archive.start_file(name, stored).is_ok() {
            archive.write_all(content.as_bytes()).expect("memory");
        }
    }
    archive.finish().expect("memory").into_inner()
}
