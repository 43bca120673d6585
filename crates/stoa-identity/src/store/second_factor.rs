//! Tables `second_factor` and `recovery_code`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};

queries! {
    OF = "SELECT totp_secret, confirmed_at FROM second_factor WHERE account_id = $1";
    /// An enrolment begins anew where one was under way; one that is confirmed stays.
    BEGIN = "INSERT INTO second_factor (account_id, totp_secret, created_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id) DO UPDATE SET totp_secret = excluded.totp_secret,
            created_at = excluded.created_at, last_step = NULL
        WHERE second_factor.confirmed_at IS NULL";
    /// Of two at once one confirms.
    CONFIRM = "UPDATE second_factor SET confirmed_at = $2 WHERE account_id = $1 AND confirmed_at IS NULL";
    /// Takes the code of this step, unless that or a later one was taken.
    STEP = "UPDATE second_factor SET last_step = $2
        WHERE account_id = $1 AND (last_step IS NULL OR last_step < $2)";
    DELETE = "DELETE FROM second_factor WHERE account_id = $1";
    ADD_CODE = "INSERT INTO recovery_code (account_id, hash, created_at) VALUES ($1, $2, $3)";
    TAKE_CODE = "DELETE FROM recovery_code WHERE account_id = $1 AND hash = $2";
    CODES_LEFT = "SELECT COUNT(*) FROM recovery_code WHERE account_id = $1";
    DELETE_CODES = "DELETE FROM recovery_code WHERE account_id = $1";
    PRUNE = "DELETE FROM second_factor WHERE confirmed_at IS NULL AND created_at <= $1";
}

/// An account's second factor.
#[derive(FromRow)]
pub struct Row {
    /// The secret of the authenticator app, sealed; `None` where a passkey is the factor.
    pub totp_secret: Option<Vec<u8>>,
    confirmed_at: Option<i64>,
}

impl Row {
    /// Whether it is asked for.
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed_at.is_some()
    }
}

/// The account's second factor, also one whose enrolment is under way.
pub async fn of(db: &Database, account: AccountId) -> Result<Option<Row>, StoreError> {
    Ok(on!(read db, c => query_as(OF).bind(account.uuid()).fetch_optional(c).await)?)
}

/// The same, inside a transaction.
pub async fn within(tx: &mut Tx, account: AccountId) -> Result<Option<Row>, StoreError> {
    Ok(on!(tx tx, c => query_as(OF).bind(account.uuid()).fetch_optional(c).await)?)
}

/// Begins an enrolment. False if there is a second factor already.
pub async fn begin(
    tx: &mut Tx,
    account: AccountId,
    secret: Option<&[u8]>,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let begun = on!(tx tx, c => query(BEGIN)
        .bind(account.uuid())
        .bind(secret)
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(begun == 1)
}

/// From now on it is asked for. False if it was before, or there is none.
pub async fn confirm(tx: &mut Tx, account: AccountId, at: Timestamp) -> Result<bool, StoreError> {
    let confirmed = on!(tx tx, c => query(CONFIRM)
        .bind(account.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(confirmed == 1)
}

/// Takes the code of this step. False if it, or a later one, was taken before.
pub async fn take_step(tx: &mut Tx, account: AccountId, step: i64) -> Result<bool, StoreError> {
    let taken = on!(tx tx, c => query(STEP)
        .bind(account.uuid())
        .bind(step)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// Removes the second factor and its recovery codes. False if there was none.
pub async fn delete(tx: &mut Tx, account: AccountId) -> Result<bool, StoreError> {
    delete_codes(tx, account).await?;
    let deleted = on!(tx tx, c => query(DELETE)
        .bind(account.uuid())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}

/// Adds a recovery code.
pub async fn add_code(
    tx: &mut Tx,
    account: AccountId,
    hash: &[u8; 32],
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(ADD_CODE)
        .bind(account.uuid())
        .bind(hash.as_slice())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Uses a recovery code up. False if there is none such.
pub async fn take_code(tx: &mut Tx, account: AccountId, hash: &[u8; 32]) -> Result<bool, StoreError> {
    let taken = on!(tx tx, c => query(TAKE_CODE)
        .bind(account.uuid())
        .bind(hash.as_slice())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// How many recovery codes are left.
pub async fn codes_left(db: &Database, account: AccountId) -> Result<i64, StoreError> {
    Ok(on!(read db, c => query_scalar(CODES_LEFT).bind(account.uuid()).fetch_one(c).await)?)
}

/// Removes the recovery codes.
pub async fn delete_codes(tx: &mut Tx, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE_CODES).bind(account.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Deletes enrolments that were begun before `before` and never confirmed.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
