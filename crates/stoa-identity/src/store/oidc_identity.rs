//! Table `oidc_identity`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use crate::OidcLink;

queries! {
    /// Nothing is inserted where somebody has it.
    INSERT = "INSERT INTO oidc_identity (issuer, subject, account_id, created_at, last_used_at)
        VALUES ($1, $2, $3, $4, $4) ON CONFLICT (issuer, subject) DO NOTHING";
    USED = "UPDATE oidc_identity SET last_used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING account_id";
    LIST = "SELECT issuer, subject, created_at, last_used_at FROM oidc_identity WHERE account_id = $1
        ORDER BY created_at, issuer, subject";
    DELETE = "DELETE FROM oidc_identity WHERE account_id = $1 AND issuer = $2 AND subject = $3";
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

#[derive(FromRow)]
struct LinkRow {
    issuer: String,
    subject: String,
    created_at: i64,
    last_used_at: i64,
}

impl From<LinkRow> for OidcLink {
    fn from(row: LinkRow) -> Self {
        Self {
            issuer: row.issuer,
            subject: row.subject,
            created_at: Timestamp::from_micros(row.created_at),
            last_used_at: Timestamp::from_micros(row.last_used_at),
        }
    }
}

/// The identities of the account, the oldest first.
pub async fn list(db: &Database, account: AccountId) -> Result<Vec<OidcLink>, StoreError> {
    let rows: Vec<LinkRow> = on!(read db, c => query_as(LIST).bind(account.uuid()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(OidcLink::from).collect())
}

/// Unlinks an identity from the account. False if it is not linked to it.
pub async fn delete(
    tx: &mut Tx,
    account: AccountId,
    issuer: &str,
    subject: &str,
) -> Result<bool, StoreError> {
    let deleted = on!(tx tx, c => query(DELETE)
        .bind(account.uuid())
        .bind(issuer)
        .bind(subject)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
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
