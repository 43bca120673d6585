//! Table `passkey`.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;
use webauthn_rs::prelude::Passkey;

use crate::{PasskeyId, PasskeyRecord};

queries! {
    /// Nothing is inserted where any account has the credential already.
    INSERT = "INSERT INTO passkey (id, account_id, credential_id, name, credential, created_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (credential_id) DO NOTHING";
    LIST = "SELECT id, name, created_at, last_used_at FROM passkey WHERE account_id = $1 ORDER BY id";
    CREDENTIAL_IDS = "SELECT passkey.credential_id FROM passkey WHERE account_id = $1 ORDER BY id";
    COUNT = "SELECT COUNT(*) FROM passkey WHERE account_id = $1";
    BY_CREDENTIAL = "SELECT id, account_id, credential FROM passkey WHERE credential_id = $1";
    USED = "UPDATE passkey SET credential = $2, last_used_at = $3 WHERE id = $1";
    RENAME = "UPDATE passkey SET name = $3 WHERE account_id = $1 AND id = $2";
    DELETE = "DELETE FROM passkey WHERE account_id = $1 AND id = $2";
    DELETE_ALL = "DELETE FROM passkey WHERE account_id = $1";
}

/// A passkey with what verifies it.
pub struct Stored {
    /// Its id.
    pub id: PasskeyId,
    /// Whose it is.
    pub account: AccountId,
    /// Its public key, counter and flags.
    pub credential: Passkey,
}

#[derive(FromRow)]
struct ListedRow {
    id: Uuid,
    name: String,
    created_at: i64,
    last_used_at: Option<i64>,
}

/// Adds the passkey. False if any account has it already.
pub async fn insert(tx: &mut Tx, new: &Stored, name: &str, at: Timestamp) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.account.uuid())
        .bind(new.credential.cred_id().as_slice())
        .bind(name)
        .bind(Json(&new.credential))
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// The person's passkeys, oldest first.
pub async fn list(db: &Database, account: AccountId) -> Result<Vec<PasskeyRecord>, StoreError> {
    let rows: Vec<ListedRow> = on!(read db, c => query_as(LIST).bind(account.uuid()).fetch_all(c).await)?;
    let record = |row: ListedRow| PasskeyRecord {
        id: PasskeyId::from_uuid(row.id),
        name: row.name,
        created_at: Timestamp::from_micros(row.created_at),
        last_used_at: row.last_used_at.map(Timestamp::from_micros),
    };
    Ok(rows.into_iter().map(record).collect())
}

/// What the authenticators call the person's passkeys.
pub async fn credential_ids(db: &Database, account: AccountId) -> Result<Vec<Vec<u8>>, StoreError> {
    Ok(on!(read db, c => query_scalar(CREDENTIAL_IDS).bind(account.uuid()).fetch_all(c).await)?)
}

/// How many passkeys the person has.
pub async fn count(tx: &mut Tx, account: AccountId) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(COUNT).bind(account.uuid()).fetch_one(c).await)?)
}

/// The passkey with this credential id, whosever it is.
pub async fn by_credential(tx: &mut Tx, credential: &[u8]) -> Result<Option<Stored>, StoreError> {
    let row: Option<(Uuid, Uuid, Json<Passkey>)> =
        on!(tx tx, c => query_as(BY_CREDENTIAL).bind(credential).fetch_optional(c).await)?;
    Ok(row.map(|(id, account, credential)| Stored {
        id: PasskeyId::from_uuid(id),
        account: AccountId::from_uuid(account),
        credential: credential.0,
    }))
}

/// Notes the use, and what it changed of the credential.
pub async fn used(tx: &mut Tx, passkey: &Stored, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(USED)
        .bind(passkey.id.uuid())
        .bind(Json(&passkey.credential))
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Calls it otherwise. False if the person has no such passkey.
pub async fn rename(tx: &mut Tx, account: AccountId, id: PasskeyId, name: &str) -> Result<bool, StoreError> {
    let renamed = on!(tx tx, c => query(RENAME)
        .bind(account.uuid())
        .bind(id.uuid())
        .bind(name)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(renamed == 1)
}

/// Removes it. False if the person has no such passkey.
pub async fn delete(tx: &mut Tx, account: AccountId, id: PasskeyId) -> Result<bool, StoreError> {
    let deleted = on!(tx tx, c => query(DELETE)
        .bind(account.uuid())
        .bind(id.uuid())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(deleted == 1)
}

/// Deletes all passkeys of the account.
pub async fn delete_all(tx: &mut Tx, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE_ALL).bind(account.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}
