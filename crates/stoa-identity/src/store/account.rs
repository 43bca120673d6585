//! Table `account`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Account, Email, PasswordHash};

queries! {
    /// Nothing is inserted where the address is taken.
    INSERT = "INSERT INTO account (id, email, password_hash, created_at, email_proven_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (email) DO NOTHING";
    IS_PROVEN = "SELECT EXISTS (SELECT 1 FROM account WHERE id = $1 AND email_proven_at IS NOT NULL)";
    PROVE = "UPDATE account SET email_proven_at = $2 WHERE id = $1 AND email_proven_at IS NULL";
    BY_EMAIL = "SELECT id, email, created_at, disabled_at FROM account WHERE email = $1";
    BY_ID = "SELECT id, email, created_at, disabled_at FROM account WHERE id = $1";
    ANY = "SELECT EXISTS (SELECT 1 FROM account)";
    PASSWORD = "SELECT id, password_hash FROM account WHERE email = $1 AND disabled_at IS NULL";
    /// The account as it signs in, held until the transaction ends. SQLite has one writer anyway.
    HOLD = {
        sqlite: "SELECT password_hash, disabled_at FROM account WHERE id = $1",
        postgres: "SELECT password_hash, disabled_at FROM account WHERE id = $1 FOR NO KEY UPDATE",
    };
    SET_PASSWORD = "UPDATE account SET password_hash = $2 WHERE id = $1";
    ENABLE = "UPDATE account SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL";
    DISABLE = "UPDATE account SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL";
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    email: String,
    created_at: i64,
    disabled_at: Option<i64>,
}

impl TryFrom<Row> for Account {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: AccountId::from_uuid(row.id),
            email: row.email.parse().map_err(unreadable("email"))?,
            created_at: Timestamp::from_micros(row.created_at),
            disabled_at: row.disabled_at.map(Timestamp::from_micros),
        })
    }
}

/// Adds the account; `is_proven`: somebody says that the address is its person's. False if the address is taken.
pub async fn insert(
    tx: &mut Tx,
    account: &Account,
    password: Option<&PasswordHash>,
    is_proven: bool,
) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(account.id.uuid())
        .bind(account.email.as_str())
        .bind(password.map(PasswordHash::as_str))
        .bind(account.created_at.as_micros())
        .bind(is_proven.then(|| account.created_at.as_micros()))
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Whether somebody said that the account's address is its person's.
pub async fn is_proven(tx: &mut Tx, account: AccountId) -> Result<bool, StoreError> {
    Ok(on!(tx tx, c => query_scalar(IS_PROVEN).bind(account.uuid()).fetch_one(c).await)?)
}

/// Notes that the account's address is its person's.
pub async fn prove(tx: &mut Tx, account: AccountId, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(PROVE).bind(account.uuid()).bind(at.as_micros()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// The account with this address.
pub async fn by_email(db: &Database, email: &Email) -> Result<Option<Account>, StoreError> {
    let row: Option<Row> =
        on!(read db, c => query_as(BY_EMAIL).bind(email.as_str()).fetch_optional(c).await)?;
    row.map(Account::try_from).transpose()
}

/// The account with this id.
pub async fn by_id(db: &Database, id: AccountId) -> Result<Option<Account>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_ID).bind(id.uuid()).fetch_optional(c).await)?;
    row.map(Account::try_from).transpose()
}

/// The account with this address, unless it is disabled, and the hash of its password, if it has one.
pub async fn password(
    db: &Database,
    email: &Email,
) -> Result<Option<(AccountId, Option<PasswordHash>)>, StoreError> {
    let row: Option<(Uuid, Option<String>)> =
        on!(read db, c => query_as(PASSWORD).bind(email.as_str()).fetch_optional(c).await)?;
    Ok(row.map(|(id, hash)| (AccountId::from_uuid(id), hash.map(PasswordHash::stored))))
}

/// An account while somebody signs in or changes how they do.
pub struct Held {
    /// The hash of its password.
    pub password: Option<PasswordHash>,
}

/// The account, unless it is disabled. Whoever else signs in, is disabled or changes how they sign in waits until
/// the transaction ends, so that no session comes to be beside what would have ended it.
pub async fn hold(tx: &mut Tx, id: AccountId) -> Result<Option<Held>, StoreError> {
    let text = tx.dialect().text(&HOLD);
    let row: Option<(Option<String>, Option<i64>)> =
        on!(tx tx, c => query_as(text).bind(id.uuid()).fetch_optional(c).await)?;
    let Some((password, None)) = row else { return Ok(None) };
    Ok(Some(Held { password: password.map(PasswordHash::stored) }))
}

/// Whether there is an account, inside a transaction.
pub async fn any_within(tx: &mut Tx) -> Result<bool, StoreError> {
    Ok(on!(tx tx, c => query_scalar(ANY).fetch_one(c).await)?)
}

/// Gives the account this password, or none.
pub async fn set_password(tx: &mut Tx, id: AccountId, hash: Option<&PasswordHash>) -> Result<(), StoreError> {
    on!(tx tx, c => query(SET_PASSWORD)
        .bind(id.uuid())
        .bind(hash.map(PasswordHash::as_str))
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Enables the account. False if it was not disabled, or is not there.
pub async fn enable(tx: &mut Tx, id: AccountId) -> Result<bool, StoreError> {
    let enabled =
        on!(tx tx, c => query(ENABLE).bind(id.uuid()).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(enabled == 1)
}

/// Whether there is an account.
pub async fn any(db: &Database) -> Result<bool, StoreError> {
    Ok(on!(read db, c => query_scalar(ANY).fetch_one(c).await)?)
}

/// Disables the account. False if it was already, or is not there.
pub async fn disable(tx: &mut Tx, id: AccountId, at: Timestamp) -> Result<bool, StoreError> {
    let disabled = on!(tx tx, c => query(DISABLE)
        .bind(id.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(disabled == 1)
}
