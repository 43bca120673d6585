//! Sealing of secrets: connector credentials, model keys.
//!
//! One [`SecretKey`] per Stoa, in a file outside the database. It seals values with XChaCha20-Poly1305, each
//! bound to its [`Place`] so that no sealed value can be moved to another row, and gives sub-keys for what
//! needs a key of its own. [`check_sentinel`] finds out at start whether key and database belong together.

mod file;
mod key;
mod sentinel;

pub use key::{Place, Purpose, SecretKey};
pub use sentinel::check_sentinel;

pub(crate) use sentinel::QUERIES;

use crate::StoreError;

/// The key file or a sealed value can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The key file could not be read or made.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file holds no key that this version reads.
    #[error(
        "{path} is not a Stoa secret key (one line: stoa-secret-key-v1 KEY_ID KEY); restore it from a copy"
    )]
    Malformed {
        /// The file.
        path: String,
    },
    /// The value was sealed with another key.
    #[error("sealed with the secret key {sealed_with}, but this is {ours}")]
    OtherKey {
        /// The id of the key it was sealed with, in hexadecimal.
        sealed_with: String,
        /// The id of the key at hand.
        ours: String,
    },
    /// The whole database belongs to another key.
    #[error(
        "this database belongs to the secret key {sealed_with}, but the key at hand is {ours}; put the right \
         secret.key into the data folder (it is never in a backup unless asked for), or name it with \
         STOA_SECRET_KEY_FILE"
    )]
    OtherDatabase {
        /// The id of the key that the database was begun with, in hexadecimal.
        sealed_with: String,
        /// The id of the key at hand.
        ours: String,
    },
    /// The value is not a sealed one, was changed, or belongs to another place.
    #[error("not a sealed value of this place, or it was changed")]
    Tampered,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for SecretError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}
