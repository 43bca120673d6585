//! Archives: the names of what is in them. What a compressed stream unpacks to is passed through, never kept.

use std::io::{self, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;
use tar::Archive;

use crate::package::Package;
use crate::read::ParseError;
use crate::reading::line;
use crate::text::Text;
use crate::{Document, Format};

/// How far a compressed archive is unpacked, in bytes.
const UNPACKED: u64 = 256 * 1024 * 1024;
/// A block of a tar archive; its first is the header of its first entry.
const BLOCK: usize = 512;
/// Where in that header the mark of POSIX stands.
const MARK: std::ops::Range<usize> = 257..262;
/// The most characters of a name.
const NAME_CHARS: usize = 4_096;

pub(crate) fn read(bytes: &[u8], format: Format) -> Result<Document, ParseError> {
    let input = BufReader::new(Cursor::new(bytes));
    match format {
        Format::Gzip => compressed(MultiGzDecoder::new(input)),
        Format::Bzip2 => compressed(MultiBzDecoder::new(input)),
        Format::Xz => compressed(XzReader::new(input, true)),
        Format::Zstd => compressed(StreamingDecoder::new(input).map_err(ParseError::of)?),
        Format::Tar => tar(input),
        _ => zip(bytes),
    }
}

/// Whether these are the first bytes of a tar archive.
pub(crate) fn is_tar(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && &bytes[MARK] == b"ustar"
}

fn zip(bytes: &[u8]) -> Result<Document, ParseError> {
    let package = Package::open(bytes)?;
    let mut text = Text::default();
    for name in package.names() {
        text.say(&line(&name, NAME_CHARS));
    }
    Ok(Document { text: text.into_string(), ..Document::default() })
}

/// A tar archive in another; what is only compressed names nothing.
fn compressed(unpacking: impl Read) -> Result<Document, ParseError> {
    let mut unpacking = unpacking.take(UNPACKED);
    let mut head = Vec::new();
    unpacking.by_ref().take(BLOCK as u64).read_to_end(&mut head).map_err(ParseError::of)?;
    if !is_tar(&head) {
        return Ok(Document::default());
    }
    tar(Cursor::new(head).chain(unpacking))
}

fn tar(input: impl Read) -> Result<Document, ParseError> {
    let mut text = Text::default();
    let mut archive = Archive::new(input);
    for entry in archive.entries().map_err(ParseError::of)? {
        match entry.map(|entry| String::from_utf8_lossy(&entry.path_bytes()).into_owned()) {
            Ok(name) => text.say(&line(&name, NAME_CHARS)),
            Err(problem) => return broken_off(text, &problem),
        }
        if text.is_full() {
            break;
        }
    }
    Ok(Document { text: text.into_string(), ..Document::default() })
}

/// An archive that could be read only so far.
fn broken_off(text: Text, problem: &io::Error) -> Result<Document, ParseError> {
    if text.is_empty() {
        return Err(ParseError::of(problem));
    }
    let unread = vec![format!("what comes after the names that are listed: {problem}")];
    Ok(Document { title: None, text: text.into_string(), unread })
}
