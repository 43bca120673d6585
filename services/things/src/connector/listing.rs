//! What a listing tells.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use stoa_base::Timestamp;
use tokio::sync::mpsc;

use super::ConnectorError;

/// A listing under way: what was found, in the byte order of [`Found::position`], in batches. The last thing
/// found is [`Found::End`]; a listing that closes without it broke off.
pub type Listing = mpsc::Receiver<Result<Vec<Found>, ConnectorError>>;

/// One thing that a listing tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A file.
    File(Listed),
    /// A file or folder that can't be looked at: what is known of it stays as it is.
    Unreadable {
        /// The key; of a folder with a final slash.
        position: String,
        /// Why.
        problem: String,
    },
    /// The end.
    End(PassedOver),
}

impl Found {
    /// Where it stands in the order of the listing; `None` is after everything.
    #[must_use]
    pub fn position(&self) -> Option<&str> {
        match self {
            Self::File(file) => Some(&file.at.key),
            Self::Unreadable { position, .. } => Some(position),
            Self::End(_) => None,
        }
    }
}

/// A file as it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it lies.
    pub at: Locator,
    /// Bytes.
    pub size: i64,
    /// When the place says it was changed.
    pub modified_at: Timestamp,
}

/// What was counted and not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Symbolic links: never followed.
    pub links: u64,
    /// What is excluded, is neither file nor folder, or has a key that is too long.
    pub skipped: u64,
}

/// Where a content lies in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locator {
    /// The key: readable, unique in the place, with slashes between folders.
    pub key: String,
    /// The bytes of the path where they are not the key's.
    pub raw: Option<Vec<u8>>,
}

impl Locator {
    /// What the place itself calls it.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.raw.as_deref().unwrap_or(self.key.as_bytes())))
    }
}
