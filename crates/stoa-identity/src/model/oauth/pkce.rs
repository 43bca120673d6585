//! Proof that who redeems a code is who asked for it (RFC 7636), by S256 only.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Characters of a challenge: 32 bytes in base64url.
const CHALLENGE: usize = 43;

/// The challenge, if `text` is one that S256 makes.
#[must_use]
pub(crate) fn challenge(text: &str) -> Option<String> {
    let is_digest =
        text.len() == CHALLENGE && URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32);
    is_digest.then(|| text.to_owned())
}

/// Whether the verifier (43 to 128 unreserved characters, section 4.1) is what the challenge was made from.
#[must_use]
pub(crate) fn verifies(challenge: &str, verifier: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_verifier = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    is_verifier && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7636 appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const DIGEST: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_verifier_of_the_rfc_verifies_and_its_neighbors_do_not() {
        assert_eq!(challenge(DIGEST).as_deref(), Some(DIGEST));
        assert!(verifies(DIGEST, VERIFIER));
        for verifier in ["", &VERIFIER[1..], DIGEST, &format!("{VERIFIER} "), &VERIFIER.to_lowercase()] {
            assert!(!verifies(DIGEST, verifier), "{verifier}");
        }
    }

    #[test]
    fn a_plain_challenge_is_none_and_can_t_be_met() {
        for text in ["", "abc", &DIGEST[1..], &format!("{DIGEST}="), &"+".repeat(43), &"a".repeat(128)] {
            assert_eq!(challenge(text), None, "{text}");
        }
        assert!(!verifies(VERIFIER, VERIFIER), "the verifier sent as its own challenge");
    }
}
