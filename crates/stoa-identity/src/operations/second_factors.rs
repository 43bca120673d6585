//! The second factor that a person asks of passwords: an authenticator app or a passkey, and recovery codes for
//! who has lost it.

mod codes;
mod passkey;
mod remove;
mod status;
mod totp;
mod verify;

pub use codes::{RecoveryCodes, renew_codes};
pub use passkey::use_passkeys;
pub use remove::remove;
pub(crate) use status::is_asked_for;
pub use status::{Method, Status, status};
pub use totp::{Enrollment, begin_totp, confirm_totp};
pub use verify::{VerifyError, verify};

use stoa_store::StoreError;
use stoa_store::secret::SecretError;

use crate::NotFresh;

/// Why a second factor was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SecondFactorError {
    /// The sign-in was long ago.
    #[error(transparent)]
    NotFresh(#[from] NotFresh),
    /// There is one already: it is to be removed first.
    #[error("there is a second factor already")]
    Exists,
    /// There is none.
    #[error("there is no second factor")]
    Missing,
    /// There is no passkey.
    #[error("add a passkey first")]
    NoPasskey,
    /// The code is another.
    #[error("this code is not the one that the app shows now")]
    WrongCode,
    /// The account was disabled meanwhile.
    #[error("this account is disabled")]
    Disabled,
    /// What was sealed can't be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}
