//! Whether there is a second factor, and which.

use serde::Serialize;
use stoa_base::AccountId;
use stoa_store::{StoreError, Tx};

use crate::{Door, store};

/// What a second factor consists in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Codes of an authenticator app (RFC 6238). A passkey does as well.
    Totp,
    /// A passkey.
    Passkey,
}

/// How it stands with a person's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// What is asked for; `None`: nothing.
    pub method: Option<Method>,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
}

/// How it stands with the account's second factor.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn status(door: &Door, account: AccountId) -> Result<Status, StoreError> {
    let row =
        store::second_factor::of(&door.db, account).await?.filter(store::second_factor::Row::is_confirmed);
    Ok(Status {
        method: row.map(|row| if row.totp_secret.is_some() { Method::Totp } else { Method::Passkey }),
        recovery_codes: store::second_factor::codes_left(&door.db, account).await?,
    })
}

/// Whether a password alone is not enough for this account.
pub async fn is_asked_for(tx: &mut Tx, account: AccountId) -> Result<bool, StoreError> {
    Ok(store::second_factor::within(tx, account).await?.is_some_and(|row| row.is_confirmed()))
}
