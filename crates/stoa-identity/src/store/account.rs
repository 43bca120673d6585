//! Table `account`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Account, Email, PasswordHash};

queries! {
    /// Nothing is inserted where the address is taken.
    INSERT = "INSERT INTO account (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (email) DO NOTHING";
    BY_EMAIL = "SELECT id, email, created_at, disabled_at FROM account WHERE email = $1";
    ANY = "SELECT EXISTS (SELECT 1 FROM account)";
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

/// Adds the account. False if its address is taken.
pub async fn insert(
    tx: &mut Tx,
    account: &Account,
    password: Option<&PasswordHash>,
) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(account.id.uuid())
        .bind(account.email.as_str())
        .bind(password.map(PasswordHash::as_str))
        .bind(account.created_at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// The account with this address.
pub async fn by_email(db: &Database, email: &Email) -> Result<Option<Account>, StoreError> {
    let row: Option<Row> =
        on!(read db, c => query_as(BY_EMAIL).bind(email.as_str()).fetch_optional(c).await)?;
    row.map(Account::try_from).transpose()
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
