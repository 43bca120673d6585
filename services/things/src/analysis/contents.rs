//! Taking a content in: hashed from beginning to end, and kept as far as the steps need it.

use futures::TryStreamExt as _;
use stoa_base::{Ambient, Timestamp};
use tokio::task::spawn_blocking;

use super::{millis_since, wants_text};
use crate::connector::{Read, ReadError};
use crate::store::thing::Hash;
use crate::text::sniff::{HEAD_BYTES, sniff};

/// Chunks up to this many bytes are hashed where they arrive: a trip to another thread would cost more.
const SHORT: usize = 64 * 1024;

/// A content, read.
#[derive(Clone, Debug)]
pub struct Contents {
    /// BLAKE3 of all of it.
    pub hash: Hash,
    /// Bytes.
    pub size: i64,
    /// When the place says it was changed.
    pub modified_at: Timestamp,
    /// All of it where its text is wanted, else its beginning.
    pub bytes: Vec<u8>,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
}

impl Contents {
    /// Reads a content named `key`.
    ///
    /// # Errors
    /// [`ReadError`] where it can't be read to its end.
    pub async fn take_in(ambient: &Ambient, key: &str, mut read: Read) -> Result<Self, ReadError> {
        let begun = ambient.now();
        let mut taken = Taken::default();
        while let Some(chunk) = read.chunks.try_next().await? {
            taken = taken.with(key, chunk).await?;
        }
        Ok(Self {
            hash: taken.hasher.finalize().into(),
            size: i64::try_from(taken.size).unwrap_or(i64::MAX),
            modified_at: read.modified_at,
            bytes: taken.kept,
            duration_ms: millis_since(ambient, begun),
        })
    }

    /// Whether all of it is there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        i64::try_from(self.bytes.len()) == Ok(self.size)
    }
}

/// What was taken in so far.
#[derive(Default)]
struct Taken {
    hasher: blake3::Hasher,
    size: usize,
    kept: Vec<u8>,
}

impl Taken {
    async fn with(mut self, key: &str, chunk: Vec<u8>) -> Result<Self, ReadError> {
        self.keep(key, &chunk);
        if chunk.len() <= SHORT {
            self.hasher.update(&chunk);
            return Ok(self);
        }
        let hashed = spawn_blocking(move || {
            self.hasher.update(&chunk);
            self
        });
        hashed.await.map_err(|died| ReadError::Unreadable(died.to_string()))
    }

    fn keep(&mut self, key: &str, chunk: &[u8]) {
        let whole = self.kept.len() == self.size;
        self.size += chunk.len();
        if whole {
            self.kept.extend_from_slice(chunk);
            let sniffed = sniff(key, &self.kept);
            if self.size > HEAD_BYTES && !wants_text(sniffed.kind, &sniffed.mime, self.size) {
                self.kept.truncate(HEAD_BYTES);
                self.kept.shrink_to_fit();
            }
        }
    }
}
