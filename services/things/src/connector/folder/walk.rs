//! Listing a folder with all that lies below it, depth first, in the byte order of the keys.
//!
//! Entries of one folder are ordered by name, a folder's name with a slash at its end, since that is how it
//! stands in the keys below it: `a-b` before `a/x` before `a0`. So the order of the walk is the order of whole
//! keys, and no more than one listing per level is held in memory.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;

use cap_std::fs::{Dir, DirEntry};
use stoa_base::Timestamp;
use tokio::sync::mpsc::Sender;

use super::exclude::Exclusions;
use super::name::readable;
use super::{open_folder, size_and_time};
use crate::connector::{ConnectorError, Found, Listed, Locator, PassedOver};

/// How much is handed over at once.
const BATCH: usize = 256;
/// The longest key, in bytes: PostgreSQL can't index much more.
const KEY_BYTES: usize = 2_048;

/// Lists everything below `root`. Ends early when nobody listens any more.
pub(super) fn walk(
    root: &Dir,
    exclusions: &Exclusions,
    listener: &Sender<Result<Vec<Found>, ConnectorError>>,
) {
    let mut walk = Walk { root, exclusions, listener, batch: Vec::new(), passed: PassedOver::default() };
    // Ended early: nobody is there to be told.
    let _ended = walk.run();
}

struct Walk<'a> {
    root: &'a Dir,
    exclusions: &'a Exclusions,
    listener: &'a Sender<Result<Vec<Found>, ConnectorError>>,
    batch: Vec<Found>,
    passed: PassedOver,
}

/// Nobody listens any more.
struct Unheard;

/// An entry of a folder.
struct Entry {
    at: Locator,
    /// The key as it is ordered: a folder's with a final slash.
    position: String,
    /// Bytes and when it was changed; nothing for a folder.
    file: Option<(i64, Timestamp)>,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), Unheard> {
        let mut levels = match self.entries(&Locator::default()) {
            Ok(entries) => vec![entries.into_iter()],
            Err(problem) => return self.fail(&problem),
        };
        while let Some(level) = levels.last_mut() {
            match level.next() {
                None => drop(levels.pop()),
                Some(Entry { at, file: Some((size, modified_at)), .. }) => {
                    self.tell(Found::File(Listed { at, size, modified_at }))?;
                }
                Some(folder) => match self.entries(&folder.at) {
                    Ok(entries) => levels.push(entries.into_iter()),
                    Err(error) => self.unreadable(folder.position, &error)?,
                },
            }
        }
        self.batch.push(Found::End(self.passed));
        self.hand_over()
    }

    fn fail(&self, problem: &io::Error) -> Result<(), Unheard> {
        let problem = ConnectorError::Unreachable(problem.to_string());
        self.listener.blocking_send(Err(problem)).map_err(|_| Unheard)
    }

    /// A folder that went since its own folder was listed holds nothing.
    fn unreadable(&mut self, position: String, error: &io::Error) -> Result<(), Unheard> {
        if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            return Ok(());
        }
        self.tell(Found::Unreadable { position, problem: error.to_string() })
    }

    fn tell(&mut self, found: Found) -> Result<(), Unheard> {
        self.batch.push(found);
        if self.batch.len() < BATCH { Ok(()) } else { self.hand_over() }
    }

    fn hand_over(&mut self) -> Result<(), Unheard> {
        self.listener.blocking_send(Ok(std::mem::take(&mut self.batch))).map_err(|_| Unheard)
    }

    /// The entries of one folder in order.
    fn entries(&mut self, folder: &Locator) -> io::Result<Vec<Entry>> {
        let opened = open_folder(self.root, folder.path())?;
        let mut entries = Vec::new();
        for entry in opened.as_ref().unwrap_or(self.root).entries()? {
            entries.extend(self.entry(folder, &entry?)?);
        }
        entries.sort_unstable_by(|one, other| one.position.cmp(&other.position));
        let all = entries.len();
        // A name may be made to look like the readable form of another.
        entries.dedup_by(|one, other| one.at.key == other.at.key);
        self.passed.skipped += u64::try_from(all - entries.len()).unwrap_or(0);
        Ok(entries)
    }

    fn entry(&mut self, folder: &Locator, entry: &DirEntry) -> io::Result<Option<Entry>> {
        let (at, name) = locate(folder, entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            self.passed.links += 1;
            return Ok(None);
        }
        let listed = (kind.is_dir() || kind.is_file()) && at.key.len() <= KEY_BYTES;
        if !listed || self.exclusions.leaves_out(&name, at.path()) {
            self.passed.skipped += 1;
            return Ok(None);
        }
        if kind.is_dir() {
            return Ok(Some(Entry { position: format!("{}/", at.key), at, file: None }));
        }
        match entry.metadata() {
            Ok(metadata) => {
                let file = Some(size_and_time(&metadata)?);
                Ok(Some(Entry { position: at.key.clone(), at, file }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Where an entry of `folder` lies, and its readable name.
fn locate(folder: &Locator, name: OsString) -> (Locator, String) {
    let raw = name.into_vec();
    let name = readable(&raw);
    let key = if folder.key.is_empty() { name.clone() } else { format!("{}/{name}", folder.key) };
    let plain = folder.raw.is_none() && name.as_bytes() == raw;
    let path = (!plain).then(|| folder.path().join(OsString::from_vec(raw)).into_os_string().into_vec());
    (Locator { key, raw: path }, name)
}
