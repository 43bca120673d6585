//! A content being read.

use futures::stream::BoxStream;
use stoa_base::Timestamp;

use super::ReadError;

/// A content being read.
pub struct Read {
    /// Bytes, as of the moment it was opened.
    pub size: i64,
    /// When it was changed, as of that moment.
    pub modified_at: Timestamp,
    /// The bytes. A content that was changed meanwhile ends in [`ReadError::Unsettled`].
    pub chunks: BoxStream<'static, Result<Vec<u8>, ReadError>>,
}

impl std::fmt::Debug for Read {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Read").field("size", &self.size).finish_non_exhaustive()
    }
}
