//! The key, and what it does.

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use sha2::{Digest, Sha256};
use stoa_base::{Ambient, WorkspaceId};
use zeroize::Zeroizing;

use super::SecretError;

/// First byte of a sealed value: XChaCha20-Poly1305, the layout below.
const VERSION: u8 = 1;
/// Bytes of a key's id.
const ID: usize = 8;
/// Bytes before the nonce: version and key id.
const HEADER: usize = 1 + ID;
/// Bytes of a nonce: long enough to be drawn at random.
const NONCE: usize = 24;

/// The secret key of one Stoa. Wiped from memory when dropped, never shown.
#[derive(Clone)]
pub struct SecretKey(Zeroizing<[u8; 32]>);

/// Where a sealed value stands. It opens only there.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The tenant; the nil id for values of the whole installation.
    pub workspace: WorkspaceId,
    /// The table.
    pub table: &'a str,
    /// The column.
    pub column: &'a str,
    /// The row's key, as bytes.
    pub row: &'a [u8],
}

/// What a sub-key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Linking of audit entries.
    Audit,
    /// Sealing of page cursors.
    Cursor,
    /// Sealing of what a request remembers from one round to the next.
    RequestState,
    /// Deriving of the tokens that succeed a refresh token.
    Refresh,
    /// Making up what nobody has, so that it looks the same each time it is asked for.
    Decoy,
}

impl Purpose {
    /// The `info` of HKDF. A changed word is another key.
    const fn info(self) -> &'static [u8] {
        match self {
            Self::Audit => b"stoa/audit/1",
            Self::Cursor => b"stoa/cursor/1",
            Self::RequestState => b"stoa/request-state/1",
            Self::Refresh => b"stoa/refresh/1",
            Self::Decoy => b"stoa/decoy/1",
        }
    }
}

impl SecretKey {
    pub(super) fn generate(ambient: &Ambient) -> Self {
        Self(Zeroizing::new(ambient.bytes()))
    }

    pub(super) const fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key's public name: the first 8 bytes of its SHA-256, in hexadecimal.
    #[must_use]
    pub fn id(&self) -> String {
        hex::encode(self.id_bytes())
    }

    fn id_bytes(&self) -> [u8; ID] {
        let mut id = [0; ID];
        id.copy_from_slice(&Sha256::digest(self.as_bytes())[..ID]);
        id
    }

    /// The sealed form of `plain` at `place`: version, key id, nonce, ciphertext with its tag.
    ///
    /// # Panics
    /// If `plain` is longer than the cipher takes: 256 GB.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a secret is a few bytes, or kilobytes")]
    pub fn seal(&self, place: &Place<'_>, plain: &[u8], ambient: &Ambient) -> Vec<u8> {
        let nonce = ambient.bytes::<NONCE>();
        let mut sealed = vec![VERSION];
        sealed.extend(self.id_bytes());
        let aad = associated_data(&sealed, place);
        let ciphertext = self.cipher().encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: &aad });
        sealed.extend(nonce);
        sealed.extend(ciphertext.expect("within the cipher's length"));
        sealed
    }

    /// What was sealed at `place`, wiped from memory when dropped.
    ///
    /// # Errors
    /// [`SecretError::OtherKey`] when another key sealed it; [`SecretError::Tampered`] when it was changed,
    /// moved, or is no sealed value.
    pub fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SecretError> {
        let (header, rest) = sealed.split_at_checked(HEADER).ok_or(SecretError::Tampered)?;
        let (nonce, ciphertext) = rest.split_first_chunk::<NONCE>().ok_or(SecretError::Tampered)?;
        if header[0] != VERSION {
            return Err(SecretError::Tampered);
        }
        if header[1..] != self.id_bytes() {
            return Err(SecretError::OtherKey { sealed_with: hex::encode(&header[1..]), ours: self.id() });
        }
        let payload = Payload { msg: ciphertext, aad: &associated_data(header, place) };
        let plain = self.cipher().decrypt(&XNonce::from(*nonce), payload);
        plain.map(Zeroizing::new).map_err(|_| SecretError::Tampered)
    }

    /// The key for `purpose`, by HKDF-SHA-256 (RFC 5869).
    ///
    /// # Panics
    /// Never: HKDF gives up to 255 times 32 bytes.
    #[must_use]
    #[expect(clippy::expect_used, reason = "32 bytes are always within what HKDF gives")]
    pub fn sub_key(&self, purpose: Purpose) -> [u8; 32] {
        let mut key = [0; 32];
        let hkdf = Hkdf::<Sha256>::new(None, self.as_bytes());
        hkdf.expand(purpose.info(), &mut key).expect("HKDF gives 32 bytes");
        key
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(self.as_bytes().into())
    }
}

/// Each part behind its length, so that no place passes for another.
fn associated_data(header: &[u8], place: &Place<'_>) -> Vec<u8> {
    let workspace = place.workspace.uuid();
    let parts =
        [header, workspace.as_bytes().as_slice(), place.table.as_bytes(), place.column.as_bytes(), place.row];
    let mut data = Vec::new();
    for part in parts {
        data.extend((part.len() as u64).to_be_bytes());
        data.extend(part);
    }
    data
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey({})", self.id())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn key(seed: u8) -> SecretKey {
        SecretKey::from_bytes(Zeroizing::new([seed; 32]))
    }

    fn place<'a>(table: &'a str, column: &'a str, row: &'a [u8]) -> Place<'a> {
        Place { workspace: WorkspaceId::from_uuid(Uuid::nil()), table, column, row }
    }

    #[test]
    fn another_key_is_named() {
        let sealed = key(1).seal(&place("t", "c", b"r"), b"hunter2", &Ambient::system());
        let error = key(2).open(&place("t", "c", b"r"), &sealed).unwrap_err();
        let names = matches!(&error, SecretError::OtherKey { sealed_with, ours }
            if *sealed_with == key(1).id() && *ours == key(2).id());
        assert!(names, "{error}");
    }

    #[test]
    fn two_seals_of_one_value_differ() {
        let seal = || key(1).seal(&place("t", "c", b"r"), b"hunter2", &Ambient::system());
        assert_ne!(seal(), seal());
    }

    #[test]
    fn sub_keys_differ_by_purpose_and_key() {
        let purposes = [Purpose::Audit, Purpose::Cursor];
        let keys = [key(1), key(2)];
        let all: std::collections::HashSet<_> =
            keys.iter().flat_map(|key| purposes.map(|purpose| key.sub_key(purpose))).collect();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn debug_shows_the_id_and_not_the_key() {
        assert_eq!(format!("{:?}", key(7)), format!("SecretKey({})", key(7).id()));
    }

    proptest! {
        #[test]
        fn what_was_sealed_opens_there_and_nowhere_else(
            plain: Vec<u8>, table: String, column: String, row: Vec<u8>, other: (String, String, Vec<u8>),
        ) {
            let here = place(&table, &column, &row);
            let sealed = key(1).seal(&here, &plain, &Ambient::system());
            let opened = key(1).open(&here, &sealed).unwrap();
            prop_assert_eq!(&*opened, &plain);
            prop_assume!((&other.0, &other.1, &other.2) != (&table, &column, &row));
            let elsewhere = place(&other.0, &other.1, &other.2);
            prop_assert!(matches!(key(1).open(&elsewhere, &sealed), Err(SecretError::Tampered)));
        }

        #[test]
        fn parts_of_a_place_do_not_run_together(text in "[a-c]{2,6}", cut in 1usize..2) {
            let (table, column) = text.split_at(cut);
            let sealed = key(1).seal(&place(table, column, b"r"), b"x", &Ambient::system());
            prop_assert!(key(1).open(&place(&text, "", b"r"), &sealed).is_err());
        }

        #[test]
        fn a_changed_or_shortened_value_is_refused(plain: Vec<u8>, at: prop::sample::Index, flip in 1u8..) {
            let here = place("t", "c", b"r");
            let sealed = key(1).seal(&here, &plain, &Ambient::system());
            let mut changed = sealed.clone();
            changed[at.index(sealed.len())] ^= flip;
            prop_assert!(key(1).open(&here, &changed).is_err());
            prop_assert!(key(1).open(&here, &sealed[..at.index(sealed.len())]).is_err());
        }
    }
}
