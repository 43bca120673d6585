//! Passwords: Argon2id (RFC 9106), off the runtime's threads, two at a time.

use std::fmt;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use stoa_base::Ambient;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// The fewest characters (NIST SP 800-63B section 5.1.1.2).
const MIN_PASSWORD: usize = 8;
/// The most bytes.
const MAX_PASSWORD: usize = 1024;

/// Each hash takes 19 MiB and tens of milliseconds of a core: more at once would let a flood of sign-ins
/// starve everything else.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// A password as a person typed it, in Unicode's form NFC (RFC 8265 section 4.2.1), so that it is the same on
/// every keyboard.
#[derive(Clone)]
pub struct Password(String);

/// Why something can't be a password.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotAPassword {
    /// It is too short.
    #[error("a password has at least 8 characters")]
    TooShort,
    /// It is too long.
    #[error("a password has at most 1,024 bytes")]
    TooLong,
}

impl Password {
    /// The password `text`. Nothing is asked of it but its length.
    ///
    /// # Errors
    /// [`NotAPassword`] if it is too short or too long.
    pub fn new(text: &str) -> Result<Self, NotAPassword> {
        if text.len() > MAX_PASSWORD {
            return Err(NotAPassword::TooLong);
        }
        if text.chars().count() < MIN_PASSWORD {
            return Err(NotAPassword::TooShort);
        }
        Ok(Self(text.nfc().collect()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(hidden)")
    }
}

/// The hashing itself failed: a hash that is none, or no memory.
#[derive(Debug, thiserror::Error)]
#[error("password hashing: {0}")]
pub struct HashingFailed(String);

/// What is stored of a password: a PHC string with algorithm, parameters, salt and hash.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Hashes `password` with a salt of its own.
    ///
    /// # Errors
    /// [`HashingFailed`] when there is no memory for it.
    pub async fn of(password: Password, ambient: &Ambient) -> Result<Self, HashingFailed> {
        let salt = ambient.bytes::<16>();
        let hashed = off_the_runtime(move || -> password_hash::Result<Phc> {
            Argon2::default().hash_password_with_salt(password.0.as_bytes(), &salt)
        });
        let hash = hashed.await?.map_err(|error| HashingFailed(error.to_string()))?;
        Ok(Self(hash.to_string()))
    }

    /// The hash as it was stored.
    #[must_use]
    pub const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The PHC string, to be stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `password` is the one this was made of, with the parameters it was made with.
    ///
    /// # Errors
    /// [`HashingFailed`] when the stored text is no hash.
    pub async fn matches(&self, password: Password) -> Result<bool, HashingFailed> {
        let stored = Phc::new(&self.0).map_err(|error| HashingFailed(error.to_string()))?;
        let verified =
            off_the_runtime(move || Argon2::default().verify_password(password.0.as_bytes(), &stored));
        match verified.await? {
            Ok(()) => Ok(true),
            Err(password_hash::Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(HashingFailed(error.to_string())),
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
    let _turn = AT_ONCE.acquire().await.map_err(|closed| HashingFailed(closed.to_string()))?;
    tokio::task::spawn_blocking(work).await.map_err(|panic| HashingFailed(panic.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::new(text).unwrap()
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
        let hash = PasswordHash::of(password("caf\u{e9} caf\u{e9}"), &Ambient::system()).await.unwrap();
        assert!(hash.matches(password("cafe\u{301} cafe\u{301}")).await.unwrap());
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

    #[test]
    fn length_is_bounded_and_nothing_shows_it() {
        assert_eq!(Password::new("1234567").unwrap_err(), NotAPassword::TooShort);
        assert_eq!(Password::new(&"a".repeat(1025)).unwrap_err(), NotAPassword::TooLong);
        assert_eq!(format!("{:?}", password("correct horse")), "Password(hidden)");
    }
}
