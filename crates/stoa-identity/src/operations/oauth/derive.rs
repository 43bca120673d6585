//! What is derived under the key.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{SecretKind, SecretToken};

/// First byte under the key, so that nothing derived for one purpose passes for another.
const ACCESS: u8 = b'A';
const REFRESH: u8 = b'R';
const SOURCE: u8 = b'S';

/// Makes a refresh token's successors from its text, so that whoever shows it again within the grace gets the very
/// same pair, from any node, though no node has it written down.
#[derive(Clone)]
pub(super) struct Derivation(Hmac<Sha256>);

impl Derivation {
    pub fn new(key: [u8; 32]) -> Self {
        // HMAC pads its key to a block of SHA-256 anyway; a whole block can't have a wrong length.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(&key);
        Self(Hmac::new(&block.into()))
    }

    /// The access and the refresh token that succeed `refresh_token`.
    pub fn successors(&self, refresh_token: &str) -> (SecretToken, SecretToken) {
        let bytes = |label| self.derive(label, refresh_token.as_bytes());
        let access = SecretToken::of_bytes(SecretKind::Access, bytes(ACCESS));
        (access, SecretToken::of_bytes(SecretKind::Refresh, bytes(REFRESH)))
    }

    /// A name for an address that does not tell the address.
    pub fn source(&self, address: &[u8]) -> [u8; 8] {
        let mut source = [0; 8];
        source.copy_from_slice(&self.derive(SOURCE, address)[..8]);
        source
    }

    fn derive(&self, label: u8, from: &[u8]) -> [u8; 32] {
        self.0.clone().chain_update([label]).chain_update(from).finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_are_the_same_for_the_same_token_and_key_only() {
        let pair = |key, token| {
            let (access, refresh) = Derivation::new(key).successors(token);
            (access.expose().to_owned(), refresh.expose().to_owned())
        };
        let first = pair([1; 32], "a");
        assert_eq!(first, pair([1; 32], "a"));
        assert!(first != pair([1; 32], "b") && first != pair([2; 32], "a"));
        assert_ne!(first.0[9..52], first.1[9..52], "neither tells the other");
    }
}
