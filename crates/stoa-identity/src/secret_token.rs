//! The text of a token or of another secret: prefix, 256 random bits, checksum.
//!
//! ```text
//! stoa_pat_ 43 characters 6 characters
//!           |             CRC-32 of all before it
//!           256 random bits
//! ```
//! Both numbers are in base 62 (`0-9A-Za-z`), so that a double click selects the whole. Prefix and checksum
//! let scanners of repositories and logs find a leaked token without asking us, and let the server refuse
//! what can't be one without asking the database.

use std::fmt;

use sha2::{Digest, Sha256};
use stoa_base::Ambient;

/// Bytes of every prefix.
const PREFIX: usize = 9;
/// Digits of 256 bits in base 62.
const SECRET_DIGITS: usize = 43;
/// Digits of 32 bits in base 62.
const CHECKSUM_DIGITS: usize = 6;
/// The digits.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What a secret is for. One is never taken for another: the kind is in its prefix, and so in its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretKind {
    /// A personal token.
    Personal,
    /// The cookie of a session.
    Session,
    /// The link that makes the owner's account.
    Setup,
    /// The link that gives a person a new way to sign in.
    Reset,
    /// The link of an invitation.
    Invitation,
    /// The cookie that binds a ceremony to the browser that began it.
    Ceremony,
}

impl SecretKind {
    /// Every kind.
    const ALL: [Self; 6] =
        [Self::Personal, Self::Session, Self::Setup, Self::Reset, Self::Invitation, Self::Ceremony];

    /// What a secret of this kind begins with.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Personal => "stoa_pat_",
            Self::Session => "stoa_ses_",
            Self::Setup => "stoa_set_",
            Self::Reset => "stoa_rst_",
            Self::Invitation => "stoa_inv_",
            Self::Ceremony => "stoa_cer_",
        }
    }
}

/// A token, or another secret, as its holder has it. Shown once, stored nowhere.
#[derive(Clone)]
pub struct SecretToken(String);

impl SecretToken {
    /// A new personal token.
    #[must_use]
    pub fn personal(ambient: &Ambient) -> Self {
        Self::new(SecretKind::Personal, ambient)
    }

    /// A new secret of this kind.
    #[must_use]
    pub fn new(kind: SecretKind, ambient: &Ambient) -> Self {
        let mut text = kind.prefix().to_owned();
        text.push_str(&base62::<SECRET_DIGITS>(&mut ambient.bytes::<32>()));
        text.push_str(&checksum(&text));
        Self(text)
    }

    /// The text, to be handed to its holder and to nobody else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether a secret of any kind stands anywhere in `text`: then the text is a secret, whatever it was meant for.
    #[must_use]
    pub fn stands_in(text: &str) -> bool {
        SecretKind::ALL.into_iter().any(|kind| {
            let secret = |(start, _)| text.get(start..start + PREFIX + SECRET_DIGITS + CHECKSUM_DIGITS);
            text.match_indices(kind.prefix()).filter_map(secret).any(|text| is_well_formed(kind, text))
        })
    }

    /// What is stored in its place.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(&self.0).into())
    }
}

impl fmt::Debug for SecretToken {
    /// Hides the text: a token in a log is a leak.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(hidden)")
    }
}

/// The SHA-256 of a token's text. A plain hash is enough: nobody can guess 256 random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of what a client showed as its token; `None` if its prefix, length or checksum is not a
    /// token's.
    #[must_use]
    pub fn of_bearer(text: &str) -> Option<Self> {
        Self::of(SecretKind::Personal, text)
    }

    /// The hash of what somebody showed as a secret of this kind; `None` if it can't be one.
    #[must_use]
    pub fn of(kind: SecretKind, text: &str) -> Option<Self> {
        is_well_formed(kind, text).then(|| Self(Sha256::digest(text).into()))
    }

    /// The bytes that are stored.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn is_well_formed(kind: SecretKind, text: &str) -> bool {
    let Some(digits) = text.strip_prefix(kind.prefix()) else { return false };
    if digits.len() != SECRET_DIGITS + CHECKSUM_DIGITS || !digits.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return false;
    }
    let (signed, given) = text.split_at(text.len() - CHECKSUM_DIGITS);
    checksum(signed) == given
}

/// The CRC-32 (ISO-HDLC, as in zip and PNG) of `text`.
fn checksum(text: &str) -> String {
    base62::<CHECKSUM_DIGITS>(&mut crc32fast::hash(text.as_bytes()).to_be_bytes())
}

/// A big-endian number as so many digits in base 62, by long division; `number` is used up.
fn base62<const DIGITS: usize>(number: &mut [u8]) -> String {
    let mut digits = [0; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[usize::from(divide(number))];
    }
    digits.iter().map(|&digit| char::from(digit)).collect()
}

/// Divides a big-endian number by 62 in place and gives the remainder.
fn divide(number: &mut [u8]) -> u8 {
    let mut remainder = 0_u8;
    for byte in number {
        // The remainder is below 62, so the quotient fits into a byte.
        let dividend = u16::from_be_bytes([remainder, *byte]);
        [_, *byte] = (dividend / 62).to_be_bytes();
        [_, remainder] = (dividend % 62).to_be_bytes();
    }
    remainder
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use stoa_base::{ManualClock, SeededRandom, Timestamp};

    use super::*;

    fn token(seed: u64) -> SecretToken {
        let clock = ManualClock::new(Timestamp::from_micros(0));
        SecretToken::personal(&Ambient::new(Arc::new(clock), Arc::new(SeededRandom::new(seed))))
    }

    #[test]
    fn base_62_is_exact_at_both_ends() {
        assert_eq!(base62::<SECRET_DIGITS>(&mut [0; 32]), "0".repeat(43));
        assert_eq!(base62::<CHECKSUM_DIGITS>(&mut 61_u32.to_be_bytes()), "00000z");
        assert_eq!(base62::<CHECKSUM_DIGITS>(&mut 62_u32.to_be_bytes()), "000010");
        assert_eq!(base62::<CHECKSUM_DIGITS>(&mut u32::MAX.to_be_bytes()), "4gfFC3");
    }

    #[test]
    fn all_256_bits_fit_into_the_digits() {
        let mut largest = [0xff; 32];
        base62::<SECRET_DIGITS>(&mut largest);
        assert_eq!(largest, [0; 32], "nothing is left after the last division");
    }

    #[test]
    fn nothing_that_prints_a_token_shows_it() {
        assert_eq!(format!("{:?} {:#?}", token(1), token(1)), "SecretToken(hidden) SecretToken(hidden)");
    }

    #[test]
    fn a_secret_of_one_kind_is_none_of_another() {
        for kind in SecretKind::ALL {
            assert_eq!(kind.prefix().len(), PREFIX);
            let secret = SecretToken::new(kind, &Ambient::system());
            let taken = SecretKind::ALL
                .into_iter()
                .filter(|as_kind| TokenHash::of(*as_kind, secret.expose()).is_some());
            assert_eq!(taken.collect::<Vec<_>>(), [kind]);
            assert!(SecretToken::stands_in(&format!("<{}>", secret.expose())));
        }
    }

    proptest! {
        #[test]
        fn a_token_is_well_formed_and_its_hash_is_that_of_its_text(seed: u64) {
            let token = token(seed);
            prop_assert_eq!(token.expose().len(), 58);
            prop_assert_eq!(TokenHash::of_bearer(token.expose()), Some(token.hash()));
        }

        #[test]
        fn a_token_with_any_character_changed_is_refused(seed: u64, place in 0_usize..58, other in "[!-~]") {
            let mut text = token(seed).expose().to_owned();
            prop_assume!(text[place..=place] != other);
            text.replace_range(place..=place, &other);
            prop_assert_eq!(TokenHash::of_bearer(&text), None);
        }

        #[test]
        fn a_token_is_found_wherever_it_stands(seed: u64, before: String, after: String) {
            let text = format!("{before}{}{after}", token(seed).expose());
            prop_assert!(SecretToken::stands_in(&text));
            let without_its_end = format!("{before}{}", &token(seed).expose()[..57]);
            prop_assert!(!SecretToken::stands_in(&without_its_end));
        }

        #[test]
        fn a_token_cut_or_lengthened_is_refused(seed: u64, length in 0_usize..58, more in "[0-9A-Za-z ]{1,8}") {
            let text = token(seed).expose().to_owned();
            prop_assert_eq!(TokenHash::of_bearer(&text[..length]), None);
            prop_assert_eq!(TokenHash::of_bearer(&(text + &more)), None);
        }

        #[test]
        fn arbitrary_text_is_refused(text: String, digits in "stoa_pat_[0-9A-Za-z]{43}é?") {
            prop_assert_eq!(TokenHash::of_bearer(&text), None);
            prop_assert_eq!(TokenHash::of_bearer(&digits), None);
        }
    }
}
