//! Writes the small documents of this crate, and some of other shapes, as seeds of the fuzzing:
//! `cargo run -p stoa-testing --features documents --example fuzz_seeds`. See `docs/measuring.md`.

mod mail;
mod pdf;

use std::fs;
use std::io::{Cursor, Read, Result};
use std::path::Path;

use stoa_testing::seeds::{self, Seed};
use zip::ZipArchive;

/// Where seeds are kept, a folder for each target.
const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
/// Targets that take a document as a list of its parts.
const LISTED: &[&str] = &["office", "opendocument", "epub"];

fn main() -> Result<()> {
    for seed in seeds::all() {
        for target in targets(seed.mime) {
            let bytes = if LISTED.contains(target) { listed(&seed)? } else { seed.bytes.clone() };
            write(target, seed.name, &bytes)?;
        }
    }
    for (name, bytes) in pdf::all() {
        for target in targets("application/pdf") {
            write(target, name, &bytes)?;
        }
    }
    for (name, mail) in mail::MAILS {
        write("mail", name, mail.replace('\n', "\r\n").as_bytes())?;
    }
    for (name, text) in mail::RICH_TEXTS {
        write("rtf", name, text.as_bytes())?;
    }
    Ok(())
}

fn write(target: &str, name: &str, bytes: &[u8]) -> Result<()> {
    let folder = Path::new(SEEDS).join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

/// Which targets read documents of this media type.
fn targets(mime: &str) -> &'static [&'static str] {
    match mime {
        "application/pdf" => &["pdf", "pdf_damaged"],
        "application/msword" | "application/vnd.ms-excel" | "application/vnd.ms-powerpoint" => {
            &["office_legacy"]
        }
        "message/rfc822" => &["mail"],
        "application/mbox" => &["mailbox"],
        "application/rtf" => &["rtf"],
        "application/epub+zip" => &["epub"],
        "application/zip" | "application/x-tar" => &["archive"],
        mime if mime.starts_with("application/vnd.oasis") => &["opendocument"],
        mime if mime.starts_with("application/vnd.openxmlformats") => &["office"],
        _ => &["compressed"],
    }
}

/// The parts of a packed document, each as a line `@@ name` and its content.
fn listed(seed: &Seed) -> Result<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(&seed.bytes))?;
    let mut listed = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index)?;
        listed.extend(format!("@@ {}\n", part.name().unwrap_or_default()).into_bytes());
        part.read_to_end(&mut listed)?;
    }
    Ok(listed)
}
