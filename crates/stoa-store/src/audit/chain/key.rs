//! The key of the chain, and what is hashed under it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use stoa_base::WorkspaceId;

use super::record::Record;

/// What links one entry to those before it: an HMAC-SHA-256.
pub(crate) type Link = [u8; 32];
/// What the first entry of a chain is linked to.
pub(crate) const ROOT: Link = [0; 32];

/// First byte under the key, so that no hash of one kind passes for the other. A change to the fields or their
/// encoding takes a new letter.
const ENTRY: u8 = b'E';
const SEAL: u8 = b'S';

/// The key of the chains of one database.
#[derive(Clone)]
pub struct ChainKey(Hmac<Sha256>);

impl ChainKey {
    /// The key of these bytes: the sub-key [`crate::secret::Purpose::Audit`].
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        // HMAC pads its key to a block of SHA-256 anyway; a whole block can't have a wrong length.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(&key);
        Self(Hmac::new(&block.into()))
    }

    /// The link of `record` at `position`, after the entry whose link is `before`.
    pub(crate) fn link(&self, before: &Link, position: i64, record: &Record) -> Link {
        let mut mac = self.0.clone().chain_update([ENTRY]).chain_update(before);
        mac.update(&position.to_be_bytes());
        record.fields(|field| {
            // The length comes first, so that no part of a field passes for the next one; absent is not empty.
            let length = field.map_or(u64::MAX, |bytes| bytes.len() as u64);
            mac.update(&length.to_be_bytes());
            mac.update(field.unwrap_or_default());
        });
        mac.finalize().into_bytes().into()
    }

    /// What says that the chain of `workspace` ends here.
    pub(crate) fn seal(&self, workspace: WorkspaceId, position: i64, link: &[u8]) -> Link {
        let mac = self.0.clone().chain_update([SEAL]).chain_update(workspace.uuid());
        mac.chain_update(position.to_be_bytes()).chain_update(link).finalize().into_bytes().into()
    }
}

impl fmt::Debug for ChainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChainKey")
    }
}
