//! Table `one_time_link`.

use sqlx::{query, query_as};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::TokenHash;

queries! {
    INSERT = "INSERT INTO one_time_link (hash, kind, account_id, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5)";
    IS_GOOD = "SELECT kind, account_id FROM one_time_link WHERE hash = $1 AND expires_at > $2";
    /// Of two at once one gets the row: the other finds it gone.
    TAKE = "DELETE FROM one_time_link WHERE hash = $1 AND expires_at > $2 RETURNING kind, account_id";
    DELETE_SETUP = "DELETE FROM one_time_link WHERE kind = 'setup'";
    DELETE_OF_KIND = "DELETE FROM one_time_link WHERE account_id = $1 AND kind = $2";
    DELETE_OF_ACCOUNT = "DELETE FROM one_time_link WHERE account_id = $1";
    PRUNE = "DELETE FROM one_time_link WHERE expires_at <= $1";
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The owner's account of an empty house.
    Setup,
    /// A new way to sign in.
    Reset {
        /// For whom.
        account: AccountId,
        /// Whether the second factor goes, too.
        second_factor: bool,
    },
}

impl Link {
    const fn kind(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Reset { second_factor: false, .. } => "reset",
            Self::Reset { second_factor: true, .. } => "reset_all",
        }
    }

    const fn account(self) -> Option<AccountId> {
        match self {
            Self::Setup => None,
            Self::Reset { account, .. } => Some(account),
        }
    }

    fn read((kind, account): (String, Option<Uuid>)) -> Result<Self, StoreError> {
        match (kind.as_str(), account.map(AccountId::from_uuid)) {
            ("setup", None) => Ok(Self::Setup),
            ("reset", Some(account)) => Ok(Self::Reset { account, second_factor: false }),
            ("reset_all", Some(account)) => Ok(Self::Reset { account, second_factor: true }),
            _ => Err(unreadable("kind of link")(kind)),
        }
    }
}

/// Adds the link in place of the one there was for the same.
pub async fn replace(
    tx: &mut Tx,
    link: Link,
    hash: &TokenHash,
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    match link.account() {
        Some(account) => {
            on!(tx tx, c => query(DELETE_OF_KIND)
                .bind(account.uuid())
                .bind(link.kind())
                .execute(c)
                .await
                .map(|_| ()))?;
        }
        None => on!(tx tx, c => query(DELETE_SETUP).execute(c).await.map(|_| ()))?,
    }
    on!(tx tx, c => query(INSERT)
        .bind(hash.as_bytes())
        .bind(link.kind())
        .bind(link.account().map(|account| account.uuid()))
        .bind(at.as_micros())
        .bind(expires_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// What the link with this hash is for, if it is good.
pub async fn good(db: &Database, hash: &TokenHash, now: Timestamp) -> Result<Option<Link>, StoreError> {
    let row: Option<(String, Option<Uuid>)> = on!(read db, c => query_as(IS_GOOD)
        .bind(hash.as_bytes())
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    row.map(Link::read).transpose()
}

/// Uses the link up, if it is good.
pub async fn take(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<Option<Link>, StoreError> {
    let row: Option<(String, Option<Uuid>)> = on!(tx tx, c => query_as(TAKE)
        .bind(hash.as_bytes())
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    row.map(Link::read).transpose()
}

/// Deletes the account's links.
pub async fn delete_of(tx: &mut Tx, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE_OF_ACCOUNT).bind(account.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Deletes those that are over.
pub async fn prune(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, now).await
}
