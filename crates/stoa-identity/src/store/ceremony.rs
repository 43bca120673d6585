//! Table `ceremony`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::types::Json;
use sqlx::{query, query_as};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{StoreError, Tx, on, queries};
use uuid::Uuid;

use crate::TokenHash;

queries! {
    INSERT = "INSERT INTO ceremony (hash, kind, account_id, state, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    /// Of two at once one gets the row: the other finds it gone.
    TAKE = "DELETE FROM ceremony WHERE hash = $1 AND kind = $2 AND expires_at > $3 RETURNING account_id, state";
    END_ALL = "DELETE FROM ceremony WHERE account_id = $1";
    PRUNE = "DELETE FROM ceremony WHERE expires_at <= $1";
}

/// Which ceremony it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Adding a passkey.
    PasskeyRegister,
    /// Signing in with one.
    PasskeySignIn,
    /// Signing in at an OpenID provider.
    Oidc,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::PasskeyRegister => "passkey_register",
            Self::PasskeySignIn => "passkey_sign_in",
            Self::Oidc => "oidc",
        }
    }
}

/// A ceremony that begins.
pub struct NewRow<'a, S> {
    /// The hash of the browser's secret.
    pub hash: TokenHash,
    /// Which it is.
    pub kind: Kind,
    /// Whose, where that is known.
    pub account: Option<AccountId>,
    /// What is to be remembered.
    pub state: &'a S,
    /// Now.
    pub at: Timestamp,
    /// From when it is refused.
    pub expires_at: Timestamp,
}

/// Remembers the first half.
pub async fn insert<S: Serialize + Sync>(tx: &mut Tx, new: &NewRow<'_, S>) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(new.hash.as_bytes())
        .bind(new.kind.as_str())
        .bind(new.account.map(|account| account.uuid()))
        .bind(Json(new.state))
        .bind(new.at.as_micros())
        .bind(new.expires_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// What the first half left, which is gone with this.
pub async fn take<S: DeserializeOwned + Send + Unpin + 'static>(
    tx: &mut Tx,
    hash: &TokenHash,
    kind: Kind,
    now: Timestamp,
) -> Result<Option<(Option<AccountId>, S)>, StoreError> {
    let row: Option<(Option<Uuid>, Json<S>)> = on!(tx tx, c => query_as(TAKE)
        .bind(hash.as_bytes())
        .bind(kind.as_str())
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    Ok(row.map(|(account, state)| (account.map(AccountId::from_uuid), state.0)))
}

/// Ends those of the account.
pub async fn end_all(tx: &mut Tx, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(END_ALL).bind(account.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Deletes those that are over.
pub async fn prune(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, now).await
}
