//! Table `oidc_identity`.

use sqlx::{query, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{StoreError, Tx, on, queries};
use uuid::Uuid;

queries! {
    /// Nothing is inserted where somebody has it.
    INSERT = "INSERT INTO oidc_identity (issuer, subject, account_id, created_at, last_used_at)
        VALUES ($1, $2, $3, $4, $4) ON CONFLICT (issuer, subject) DO NOTHING";
    USED = "UPDATE oidc_identity SET last_used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING account_id";
    DELETE_ALL = "DELETE FROM oidc_identity WHERE account_id = $1";
    COUNT = "SELECT COUNT(*) FROM oidc_identity WHERE account_id = $1";
}

/// Links the identity to the account. False if it is linked already.
pub async fn insert(
    tx: &mut Tx,
    issuer: &str,
    subject: &str,
    account: AccountId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(issuer)
        .bind(subject)
        .bind(account.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Whose identity it is, noting the use.
pub async fn used(
    tx: &mut Tx,
    issuer: &str,
    subject: &str,
    at: Timestamp,
) -> Result<Option<AccountId>, StoreError> {
    let account: Option<Uuid> = on!(tx tx, c => query_scalar(USED)
        .bind(issuer)
        .bind(subject)
        .bind(at.as_micros())
        .fetch_optional(c)
        .await)?;
    Ok(account.map(AccountId::from_uuid))
}

/// Unlinks all identities of the account.
pub async fn delete_all(tx: &mut Tx, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE_ALL).bind(account.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// How many identities the account has.
pub async fn count(tx: &mut Tx, account: AccountId) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(COUNT).bind(account.uuid()).fetch_one(c).await)?)
}
