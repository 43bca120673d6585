//! Blobs: bytes by key, in a folder or in S3.

mod key;
mod place;

use std::ops::Range;

use bytes::Bytes;
use futures::{Stream, StreamExt, TryStreamExt};
use opendal::{ErrorKind, Operator};

pub use key::{BadKey, LONGEST_KEY, content_key};
pub use place::S3Config;

/// Bytes of one part of a streamed upload: S3 takes 10,000 parts, so up to 80 GB.
const PART: usize = 8 * 1024 * 1024;

/// What can go wrong with a blob. A missing one is a case, not an error.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The key is not one.
    #[error(transparent)]
    Key(#[from] BadKey),
    /// The folder or the S3 server refused, or could not be reached.
    #[error("blob storage: {0}")]
    Storage(#[from] opendal::Error),
    /// The bytes to be written broke off.
    #[error("the bytes for a blob broke off: {0}")]
    Source(std::io::Error),
}

/// Where blobs are. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    operator: Operator,
}

impl Blobs {
    /// Writes `bytes` at `key`, in place of what was there. Others see all of it or nothing.
    ///
    /// # Errors
    /// [`BlobError`] when the key is not one or the storage fails.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        key::check(key)?;
        self.operator.write(key, bytes).await?;
        Ok(())
    }

    /// Writes `bytes` at `key` unless something is there; gives whether it wrote. What content-addressed keys
    /// take: whoever comes second brings the same bytes.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn put_new(&self, key: &str, bytes: Bytes) -> Result<bool, BlobError> {
        key::check(key)?;
        match self.operator.write_with(key, bytes).if_not_exists(true).await {
            Ok(_) => Ok(true),
            Err(error) if already_there(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the bytes of `source` at `key` as they come and gives their number. If `source` breaks off, there
    /// is nothing new at `key`.
    ///
    /// # Errors
    /// [`BlobError::Source`] when `source` breaks off; else as [`Self::put`].
    pub async fn put_stream<S>(&self, key: &str, mut source: S) -> Result<u64, BlobError>
    where
        S: Stream<Item = std::io::Result<Bytes>> + Send + Unpin,
    {
        key::check(key)?;
        let mut writer = self.operator.writer_with(key).chunk(PART).await?;
        let mut length = 0;
        while let Some(bytes) = source.next().await {
            let written = match bytes {
                Ok(bytes) => {
                    length += bytes.len() as u64;
                    writer.write(bytes).await.map_err(BlobError::from)
                }
                Err(error) => Err(BlobError::Source(error)),
            };
            if let Err(error) = written {
                // The first error is the one to tell; what can't be taken back is a part nobody sees.
                let _unseen = writer.abort().await;
                return Err(error);
            }
        }
        writer.close().await?;
        Ok(length)
    }

    /// The bytes at `key`, or `None` where there are none.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, BlobError> {
        key::check(key)?;
        let read = self.operator.read(key).await;
        Ok(self.unless_missing(key, read).await?.map(|buffer| buffer.to_bytes()))
    }

    /// The bytes at `key` that lie in `range`, or `None` where there are none.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Option<Bytes>, BlobError> {
        let Some(length) = self.length(key).await? else {
            return Ok(None);
        };
        let range = range.start.min(length)..range.end.min(length);
        if range.is_empty() {
            return Ok(Some(Bytes::new()));
        }
        let read = self.operator.read_with(key).range(range).await;
        Ok(self.unless_missing(key, read).await?.map(|buffer| buffer.to_bytes()))
    }

    /// How many bytes there are at `key`, or `None` where there are none.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn length(&self, key: &str) -> Result<Option<u64>, BlobError> {
        key::check(key)?;
        match self.operator.stat(key).await {
            Ok(metadata) => Ok(metadata.is_file().then(|| metadata.content_length())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes what is at `key`, if anything is.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        key::check(key)?;
        let deleted = self.operator.delete(key).await;
        self.unless_missing(key, deleted).await.map(|_| ())
    }

    /// The keys below `prefix`, a whole number of a key's parts without a final slash (empty: all), in no
    /// order.
    ///
    /// # Errors
    /// As [`Self::put`], also for each item of the stream.
    pub async fn list(
        &self,
        prefix: &str,
    ) -> Result<impl Stream<Item = Result<String, BlobError>> + Send + use<>, BlobError> {
        let folder = if prefix.is_empty() {
            String::new()
        } else {
            key::check(prefix)?;
            format!("{prefix}/")
        };
        let entries = self.operator.lister_with(&folder).recursive(true).await?;
        // A folder on disk is listed too; it is no blob.
        let blobs = entries.try_filter(|entry| std::future::ready(entry.metadata().is_file()));
        Ok(blobs.map_ok(|entry| entry.path().to_owned()).err_into())
    }

    /// What was done with `key`, or `None` where there is no blob: on disk a folder that blobs lie in answers
    /// with an error of its own.
    async fn unless_missing<T>(&self, key: &str, done: opendal::Result<T>) -> Result<Option<T>, BlobError> {
        match done {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.kind() != ErrorKind::NotFound && self.length(key).await?.is_some() => {
                Err(error.into())
            }
            Err(_missing) => Ok(None),
        }
    }
}

fn already_there(error: &opendal::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConditionNotMatch | ErrorKind::AlreadyExists)
}
