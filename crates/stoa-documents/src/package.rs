//! ZIP archives whose entries are parts of one document. What is unpacked is bounded, whatever they promise.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::read::ParseError;

/// The most bytes of one part, unpacked.
const PART_BYTES: u64 = 64 * 1024 * 1024;
/// The most bytes of all parts together, unpacked.
const TOTAL_BYTES: u64 = 256 * 1024 * 1024;

/// An archive, and how much of it may still be unpacked.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Package<'a> {
    /// Reads the archive's directory.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(ParseError::of)?;
        Ok(Self { archive, left: TOTAL_BYTES })
    }

    /// The names of the entries, as well as they can be read.
    pub(crate) fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let raw = self.archive.file_names_raw();
        self.archive
            .file_names()
            .zip(raw)
            .map(|(name, raw)| name.unwrap_or_else(|_| String::from_utf8_lossy(raw)))
    }

    /// Unpacks a part; none, where there is none of that name.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        let Some(index) = self.archive.index_for_name(name) else { return Ok(None) };
        let named = |problem: &dyn std::fmt::Display| ParseError(format!("{name}: {problem}"));
        let entry = self.archive.by_index(index).map_err(|problem| named(&problem))?;
        let most = PART_BYTES.min(self.left);
        let mut part = Vec::new();
        let unpacked = entry.take(most + 1).read_to_end(&mut part).map_err(|problem| named(&problem))?;
        self.left = self.left.saturating_sub(u64::try_from(unpacked).unwrap_or(u64::MAX));
        if part.len() as u64 > most {
            return Err(ParseError(format!("{name} unpacks to more than {most} bytes")));
        }
        Ok(Some(part))
    }
}
