//! Passwords: Argon2id (RFC 9106), off the runtime's threads, two at a time.

mod common;

use std::fmt;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use stoa_base::Ambient;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use crate::Email;

/// The fewest characters: more than the 8 of NIST SP 800-63B section 5.1.1.2, since a password may be all that
/// there is.
const MIN_PASSWORD: usize = 12;
/// The most characters.
const MAX_PASSWORD: usize = 256;
/// What a hash begins with that was made as they are made now.
const CURRENT: &str = "$argon2id$v=19$m=19456,t=2,p=1$";
/// The hash of a password that nobody knows: what is compared with where there is none, so that this takes as long.
const DECOY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c3RvYS9kZWNveS9zYWx0MQ$Wn4dPXWsZBbBSPl4kGVeL2MTeIKXPVHqMm2gLyuDJSk";

/// Each hash takes 19 MiB and tens of milliseconds of a core: more at once would let a flood of sign-ins
/// starve everything else.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// How many may wait for their turn: some three seconds. Whoever comes then is sent away at once.
static IN_LINE: Semaphore = Semaphore::const_new(64);

/// A password as a person typed it, in Unicode's form NFC (RFC 8265 section 4.2.1), so that it is the same on
/// every keyboard.
#[derive(Clone)]
pub struct Password(String);

/// Why something can't be a password.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotAPassword {
    /// It is too short.
    #[error("a password has at least 12 characters")]
    TooShort,
    /// It is too long.
    #[error("a password has at most 256 characters")]
    TooLong,
    /// It is one of those that are tried first.
    #[error("this password is one of the most common ones: choose another")]
    Common,
    /// It is the address, or a part of it.
    #[error("a password must not be the address it belongs to")]
    IsTheAddress,
}

impl Password {
    /// The password `text`, chosen by the person with this address.
    ///
    /// # Errors
    /// [`NotAPassword`] says why it is no good.
    pub fn chosen(text: &str, email: &Email) -> Result<Self, NotAPassword> {
        let password = Self::typed(text).ok_or(NotAPassword::TooLong)?;
        if text.chars().count() < MIN_PASSWORD {
            return Err(NotAPassword::TooShort);
        }
        let folded = password.0.to_lowercase();
        if email.as_str().contains(&folded) || folded.contains(email.as_str()) {
            return Err(NotAPassword::IsTheAddress);
        }
        if common::is_common(&folded) {
            return Err(NotAPassword::Common);
        }
        Ok(password)
    }

    /// What somebody typed who signs in: nothing is asked of it. `None` if it is longer than any password.
    #[must_use]
    pub fn typed(text: &str) -> Option<Self> {
        let is_bounded = text.len() <= 4 * MAX_PASSWORD && text.chars().count() <= MAX_PASSWORD;
        is_bounded.then(|| Self(text.nfc().collect()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(hidden)")
    }
}

/// A password could not be hashed or compared.
#[derive(Debug, thiserror::Error)]
pub enum HashingFailed {
    /// Too many wait for the same.
    #[error("too many people sign in at this moment: try again in a few seconds")]
    Busy,
    /// The hashing itself failed: a hash that is none, or no memory.
    #[error("password hashing: {0}")]
    Broken(String),
}

/// What is stored of a password: a PHC string with algorithm, parameters, salt and hash.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Hashes `password` with a salt of its own.
    ///
    /// # Errors
    /// [`HashingFailed`] when too many wait, or there is no memory for it.
    pub async fn of(password: Password, ambient: &Ambient) -> Result<Self, HashingFailed> {
        let salt = ambient.bytes::<16>();
        let hashed = off_the_runtime(move || -> password_hash::Result<Phc> {
            Argon2::default().hash_password_with_salt(password.0.as_bytes(), &salt)
        });
        let hash = hashed.await?.map_err(|error| HashingFailed::Broken(error.to_string()))?;
        Ok(Self(hash.to_string()))
    }

    /// The hash of a password, where there is one.
    ///
    /// # Errors
    /// [`HashingFailed`] as [`Self::of`].
    pub async fn of_any(
        password: Option<Password>,
        ambient: &Ambient,
    ) -> Result<Option<Self>, HashingFailed> {
        match password {
            Some(password) => Self::of(password, ambient).await.map(Some),
            None => Ok(None),
        }
    }

    /// The hash as it was stored.
    #[must_use]
    pub const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The hash of a password that nobody has.
    #[must_use]
    pub fn decoy() -> Self {
        Self(DECOY.to_owned())
    }

    /// Whether it was made with other parameters than they are made with now.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        !self.0.starts_with(CURRENT)
    }

    /// The PHC string, to be stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `password` is the one this was made of, with the parameters it was made with.
    ///
    /// # Errors
    /// [`HashingFailed`] when too many wait, or the stored text is no hash.
    pub async fn matches(&self, password: Password) -> Result<bool, HashingFailed> {
        let stored = Phc::new(&self.0).map_err(|error| HashingFailed::Broken(error.to_string()))?;
        let verified =
            off_the_runtime(move || Argon2::default().verify_password(password.0.as_bytes(), &stored));
        match verified.await? {
            Ok(()) => Ok(true),
            Err(password_hash::Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(HashingFailed::Broken(error.to_string())),
        }
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(hidden)")
    }
}

/// Runs `work` on a thread that may block, once it is its turn.
async fn off_the_runtime<T, F>(work: F) -> Result<T, HashingFailed>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let _place = IN_LINE.try_acquire().map_err(|_| HashingFailed::Busy)?;
    let _turn = AT_ONCE.acquire().await.map_err(|closed| HashingFailed::Broken(closed.to_string()))?;
    tokio::task::spawn_blocking(work).await.map_err(|panic| HashingFailed::Broken(panic.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str) -> Result<Password, NotAPassword> {
        Password::chosen(text, &"ann.smith@example.com".parse().unwrap())
    }

    fn password(text: &str) -> Password {
        chosen(text).unwrap()
    }

    #[tokio::test]
    async fn only_the_same_password_matches_its_hash() {
        let hash = PasswordHash::of(password("correct horse"), &Ambient::system()).await.unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$"));
        let stored = PasswordHash::stored(hash.as_str().to_owned());
        assert!(stored.matches(password("correct horse")).await.unwrap());
        assert!(!stored.matches(password("correct horsf")).await.unwrap());
    }

    #[tokio::test]
    async fn an_accent_typed_as_one_character_or_two_is_the_same() {
        let hash =
            PasswordHash::of(password("caf\u{e9} caf\u{e9} caf\u{e9}"), &Ambient::system()).await.unwrap();
        assert!(hash.matches(password("cafe\u{301} cafe\u{301} cafe\u{301}")).await.unwrap());
    }

    #[tokio::test]
    async fn two_hashes_of_one_password_differ() {
        let ambient = Ambient::system();
        let first = PasswordHash::of(password("correct horse"), &ambient).await.unwrap();
        assert!(first != PasswordHash::of(password("correct horse"), &ambient).await.unwrap());
    }

    #[tokio::test]
    async fn a_stored_text_that_is_no_hash_is_an_error() {
        let broken = PasswordHash::stored("plain".to_owned());
        assert!(broken.matches(password("correct horse")).await.is_err());
    }

    #[tokio::test]
    async fn the_decoy_costs_what_a_hash_costs_and_no_password_matches_it() {
        let hash = PasswordHash::of(password("correct horse"), &Ambient::system()).await.unwrap();
        assert!(!hash.is_outdated() && !PasswordHash::decoy().is_outdated());
        assert_eq!(PasswordHash::decoy().as_str().len(), hash.as_str().len());
        assert!(!PasswordHash::decoy().matches(password("correct horse")).await.unwrap());
        assert!(PasswordHash::stored(hash.as_str().replace("t=2", "t=1")).is_outdated());
    }

    #[test]
    fn length_is_bounded_and_nothing_shows_it() {
        assert_eq!(chosen("12345678901").unwrap_err(), NotAPassword::TooShort);
        assert_eq!(chosen(&"ab".repeat(129)).unwrap_err(), NotAPassword::TooLong);
        assert!(Password::typed(&"é".repeat(256)).is_some() && Password::typed("").is_some());
        assert!(Password::typed(&"a".repeat(257)).is_none());
        assert_eq!(format!("{:?}", password("correct horse")), "Password(hidden)");
    }

    #[test]
    fn the_address_and_what_everybody_takes_are_no_passwords() {
        for text in ["Ann.Smith@Example.com", "smith@example", "xann.smith@example.com1"] {
            assert_eq!(chosen(text).unwrap_err(), NotAPassword::IsTheAddress, "{text}");
        }
        for text in ["Password1234", "aaaaaaaaaaaaaaaa", "123456789012", "abcabcabcabcabc", "qwertyuiop123"] {
            assert_eq!(chosen(text).unwrap_err(), NotAPassword::Common, "{text}");
        }
    }
}
