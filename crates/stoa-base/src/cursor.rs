//! Opaque page cursors: where a list goes on, carried by the caller, since the server keeps nothing between
//! requests.
//!
//! The text is base64url without padding (RFC 4648 section 5) of a nonce and the payload's compact JSON under
//! XChaCha20-Poly1305, with the context as associated data. The nonce is an HMAC-SHA-256 (RFC 2104) over the
//! context's length, the context and the payload: the same place in the same list is the same cursor, and two
//! different ones never share a nonce. Its holder can neither read nor change it.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

/// The longest cursor that is looked at, in bytes of text. It leaves 3,032 bytes for the payload's JSON.
pub const MAX_CURSOR: usize = 4096;
/// Bytes of a nonce.
const NONCE: usize = 24;

/// The key that cursors are sealed with.
///
/// `context` says which question a cursor belongs to: the tool, the caller's installation and the digest
/// of the query. A cursor opens only in the context it was sealed in.
#[derive(Clone)]
pub struct CursorKey {
    cipher: XChaCha20Poly1305,
    nonces: Hmac<Sha256>,
}

impl CursorKey {
    /// The key of these bytes, a sub-key of the server's secret key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        let cipher = XChaCha20Poly1305::new(&derived(&key, b"cursor payload").into());
        Self { cipher, nonces: keyed(&derived(&key, b"cursor nonce")) }
    }

    /// The cursor that carries `payload`: a place in a list, plain data, well under [`MAX_CURSOR`].
    ///
    /// # Panics
    /// If `payload` has no JSON form, as a map with keys that are not text.
    #[expect(clippy::expect_used, reason = "a payload is our own plain struct")]
    pub fn seal(&self, context: &str, payload: &impl Serialize) -> String {
        let payload = serde_json::to_vec(payload).expect("a cursor's payload has a JSON form");
        let nonce = self.nonce(context, &payload);
        let payload = Payload { msg: &payload, aad: context.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).expect("a payload is short");
        URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())
    }

    /// The payload of a cursor that this key sealed in this context.
    ///
    /// # Errors
    /// [`BadCursor`] for every other text, and for a payload that is no `T` (any more).
    pub fn open<T: DeserializeOwned>(&self, context: &str, cursor: &str) -> Result<T, BadCursor> {
        if cursor.len() > MAX_CURSOR {
            return Err(BadCursor);
        }
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| BadCursor)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or(BadCursor)?;
        let sealed = Payload { msg: sealed, aad: context.as_bytes() };
        let payload = self.cipher.decrypt(&XNonce::from(*nonce), sealed).map_err(|_| BadCursor)?;
        serde_json::from_slice(&payload).map_err(|_| BadCursor)
    }

    /// The context's length comes first, so that no part of a context can pass for a payload.
    fn nonce(&self, context: &str, payload: &[u8]) -> [u8; NONCE] {
        let length = context.len() as u64;
        let mac = self.nonces.clone().chain_update(length.to_be_bytes());
        let mac = mac.chain_update(context).chain_update(payload).finalize().into_bytes();
        std::array::from_fn(|at| mac[at])
    }
}

/// A key for one purpose.
fn derived(key: &[u8; 32], purpose: &[u8]) -> [u8; 32] {
    keyed(key).chain_update(purpose).finalize().into_bytes().into()
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC pads its key to a block of SHA-256.
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    KeyInit::new(&block.into())
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey")
    }
}

/// The text is not a cursor of this question. It is not said why.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("the cursor does not belong to this query; ask again without it")]
pub struct BadCursor;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rank, title and id of the last item of a page.
    type Place = (i64, String, Option<u32>);

    fn key() -> CursorKey {
        CursorKey::new([7; 32])
    }

    #[test]
    fn the_same_place_is_the_same_cursor_and_shows_nothing_of_it() {
        let sealed = key().seal("q", &"where the list goes on");
        assert_eq!(sealed, key().seal("q", &"where the list goes on"));
        let bytes = URL_SAFE_NO_PAD.decode(&sealed).unwrap();
        assert!(!bytes.windows(5).any(|window| window == b"where"));
        assert_ne!(sealed[..8], key().seal("q", &"elsewhere")[..8]);
    }

    #[test]
    fn a_payload_of_another_type_is_refused() {
        assert_eq!(key().open::<String>("q", &key().seal("q", &1)), Err(BadCursor));
    }

    #[test]
    fn the_context_ends_where_it_ends() {
        assert_eq!(key().open::<u32>("q", &key().seal("q1", &2)), Err(BadCursor));
        assert_eq!(key().open::<u32>("q1", &key().seal("q", &12)), Err(BadCursor));
    }

    #[test]
    fn a_long_text_is_refused_even_if_authentic() {
        let longest = "x".repeat(3030);
        let cursor = key().seal("q", &longest);
        assert_eq!(cursor.len(), MAX_CURSOR);
        assert_eq!(key().open("q", &cursor), Ok(longest.clone()));
        assert_eq!(key().open::<String>("q", &key().seal("q", &(longest + "x"))), Err(BadCursor));
    }

    #[test]
    fn debug_shows_no_key() {
        assert_eq!(format!("{:?}", key()), "CursorKey");
    }

    proptest! {
        #[test]
        fn what_was_sealed_opens(context: String, place: Place) {
            let cursor = key().seal(&context, &place);
            prop_assert_eq!(key().open::<Place>(&context, &cursor), Ok(place));
        }

        #[test]
        fn a_changed_byte_is_refused(place: Place, at: prop::sample::Index, byte in "[A-Za-z0-9_=.-]") {
            let mut cursor = key().seal("q", &place);
            let at = at.index(cursor.len());
            prop_assume!(cursor[at..=at] != byte);
            cursor.replace_range(at..=at, &byte);
            prop_assert_eq!(key().open::<Place>("q", &cursor), Err(BadCursor));
        }

        #[test]
        fn a_shortened_or_lengthened_cursor_is_refused(place: Place, cut in 1usize..8, more in "[A-Za-z0-9_-]{1,8}") {
            let cursor = key().seal("q", &place);
            prop_assert_eq!(key().open::<Place>("q", &cursor[cut..]), Err(BadCursor));
            prop_assert_eq!(key().open::<Place>("q", &cursor[..cursor.len() - cut]), Err(BadCursor));
            prop_assert_eq!(key().open::<Place>("q", &format!("{cursor}{more}")), Err(BadCursor));
        }

        #[test]
        fn another_context_or_key_is_refused(place: Place, context: String, other: String, bytes: [u8; 32]) {
            prop_assume!(context != other && bytes != [7; 32]);
            let cursor = key().seal(&context, &place);
            prop_assert_eq!(key().open::<Place>(&other, &cursor), Err(BadCursor));
            prop_assert_eq!(CursorKey::new(bytes).open::<Place>(&context, &cursor), Err(BadCursor));
        }

        #[test]
        fn arbitrary_text_is_refused(context: String, text: String, plain in "[A-Za-z0-9_-]{0,200}") {
            prop_assert_eq!(key().open::<serde_json::Value>(&context, &text), Err(BadCursor));
            prop_assert_eq!(key().open::<serde_json::Value>(&context, &plain), Err(BadCursor));
        }
    }
}
