//! Table `session`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{AuthenticatedBy, SecondStep, SessionId, SessionRecord, SignedIn, TokenHash};

/// The kind that is good for everything.
pub const FULL: &str = "full";
/// The kind that waits for the second factor.
pub const HALF: &str = "half";

queries! {
    INSERT = "INSERT INTO session (id, account_id, hash, kind, authenticated_by, second_factor, user_agent, address,
            created_at, last_seen_at, expires_at, proven_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)";
    /// `$3` is now, `$4` the earliest last use that counts.
    CURRENT = "SELECT session.id, session.account_id, account.email, session.authenticated_by,
            session.second_factor, session.created_at, session.last_seen_at, session.proven_at
        FROM session JOIN account ON account.id = session.account_id
        WHERE session.hash = $1 AND session.kind = $2 AND session.expires_at > $3 AND session.last_seen_at > $4
            AND account.disabled_at IS NULL";
    /// Writes nothing where the last use is known closely enough: `$3` is a step before `$2`.
    SEEN = "UPDATE session SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3";
    /// A person's, the one in use last first.
    LIST = "SELECT id, authenticated_by, second_factor, user_agent, address, created_at, last_seen_at, expires_at
        FROM session
        WHERE account_id = $1 AND kind = 'full' AND expires_at > $2 AND last_seen_at > $3
        ORDER BY last_seen_at DESC, id DESC LIMIT 200";
    /// Whether a person is signed in from this address.
    FROM_ADDRESS = "SELECT EXISTS (SELECT 1 FROM session
        WHERE account_id = $1 AND address = $2 AND kind = 'full' AND expires_at > $3)";
    END = "DELETE FROM session WHERE account_id = $1 AND id = $2";
    END_OTHERS = "DELETE FROM session WHERE account_id = $1 AND id <> $2";
    END_ALL = "DELETE FROM session WHERE account_id = $1";
    PRUNE = "DELETE FROM session WHERE expires_at <= $1";
}

/// A session to be stored.
pub struct NewRow<'a> {
    /// Its id.
    pub id: SessionId,
    /// The person.
    pub account: AccountId,
    /// The hash of its secret.
    pub hash: TokenHash,
    /// [`FULL`] or [`HALF`].
    pub kind: &'static str,
    /// How it begins.
    pub authenticated_by: AuthenticatedBy,
    /// What came on top of that.
    pub second_step: Option<SecondStep>,
    /// The browser.
    pub user_agent: &'a str,
    /// Its address.
    pub address: &'a str,
    /// Now.
    pub at: Timestamp,
    /// When the person proved who they are; `None`: nobody knows.
    pub proven_at: Option<Timestamp>,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
}

/// A session that is good, with when it was last seen.
pub struct Seen {
    /// Who is signed in.
    pub signed_in: SignedIn,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
}

#[derive(FromRow)]
struct CurrentRow {
    id: Uuid,
    account_id: Uuid,
    email: String,
    authenticated_by: String,
    second_factor: Option<String>,
    created_at: i64,
    last_seen_at: i64,
    proven_at: Option<i64>,
}

impl TryFrom<CurrentRow> for Seen {
    type Error = StoreError;

    fn try_from(row: CurrentRow) -> Result<Self, StoreError> {
        Ok(Self {
            signed_in: SignedIn {
                session: SessionId::from_uuid(row.id),
                account: AccountId::from_uuid(row.account_id),
                email: row.email.parse().map_err(unreadable("email"))?,
                authenticated_by: row.authenticated_by.parse().map_err(unreadable("session"))?,
                second_step: second_step(row.second_factor)?,
                since: Timestamp::from_micros(row.created_at),
                proven_at: row.proven_at.map(Timestamp::from_micros),
            },
            last_seen_at: Timestamp::from_micros(row.last_seen_at),
        })
    }
}

#[derive(FromRow)]
struct ListedRow {
    id: Uuid,
    authenticated_by: String,
    second_factor: Option<String>,
    user_agent: String,
    address: String,
    created_at: i64,
    last_seen_at: i64,
    expires_at: i64,
}

impl TryFrom<ListedRow> for SessionRecord {
    type Error = StoreError;

    fn try_from(row: ListedRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: SessionId::from_uuid(row.id),
            authenticated_by: row.authenticated_by.parse().map_err(unreadable("session"))?,
            second_step: second_step(row.second_factor)?,
            user_agent: row.user_agent,
            address: row.address,
            created_at: Timestamp::from_micros(row.created_at),
            last_seen_at: Timestamp::from_micros(row.last_seen_at),
            expires_at: Timestamp::from_micros(row.expires_at),
        })
    }
}

fn second_step(word: Option<String>) -> Result<Option<SecondStep>, StoreError> {
    word.map(|word| word.parse().map_err(unreadable("second factor"))).transpose()
}

/// Adds the session.
pub async fn insert(tx: &mut Tx, new: &NewRow<'_>) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.account.uuid())
        .bind(new.hash.as_bytes())
        .bind(new.kind)
        .bind(new.authenticated_by.as_str())
        .bind(new.second_step.map(SecondStep::as_str))
        .bind(new.user_agent)
        .bind(new.address)
        .bind(new.at.as_micros())
        .bind(new.expires_at.as_micros())
        .bind(new.proven_at.map(Timestamp::as_micros))
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// The session of this kind with this hash, if it is still good: not over at `now`, and used after `idle_since`.
pub async fn current(
    db: &Database,
    hash: &TokenHash,
    kind: &'static str,
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Option<Seen>, StoreError> {
    let row: Option<CurrentRow> = on!(read db, c => query_as(CURRENT)
        .bind(hash.as_bytes())
        .bind(kind)
        .bind(now.as_micros())
        .bind(idle_since.as_micros())
        .fetch_optional(c)
        .await)?;
    row.map(Seen::try_from).transpose()
}

/// Notes that the session is in use, unless it was last seen after `known`.
pub async fn seen(tx: &mut Tx, id: SessionId, at: Timestamp, known: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(SEEN)
        .bind(id.uuid())
        .bind(at.as_micros())
        .bind(known.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// The person's sessions that are good.
pub async fn list(
    db: &Database,
    account: AccountId,
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Vec<SessionRecord>, StoreError> {
    let rows: Vec<ListedRow> = on!(read db, c => query_as(LIST)
        .bind(account.uuid())
        .bind(now.as_micros())
        .bind(idle_since.as_micros())
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(SessionRecord::try_from).collect()
}

/// Whether the person has a session that began at this address.
pub async fn is_from(
    db: &Database,
    account: AccountId,
    address: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    Ok(on!(read db, c => query_scalar(FROM_ADDRESS)
        .bind(account.uuid())
        .bind(address)
        .bind(now.as_micros())
        .fetch_one(c)
        .await)?)
}

/// Ends one of the person's sessions. False if it had ended, or is not theirs.
pub async fn end(tx: &mut Tx, account: AccountId, id: SessionId) -> Result<bool, StoreError> {
    let ended = on!(tx tx, c => query(END)
        .bind(account.uuid())
        .bind(id.uuid())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}

/// Ends the person's sessions but `kept`, and says how many.
pub async fn end_others(tx: &mut Tx, account: AccountId, kept: SessionId) -> Result<u64, StoreError> {
    Ok(on!(tx tx, c => query(END_OTHERS)
        .bind(account.uuid())
        .bind(kept.uuid())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?)
}

/// Ends all of the person's sessions, and says how many.
pub async fn end_all(tx: &mut Tx, account: AccountId) -> Result<u64, StoreError> {
    Ok(on!(tx tx, c => query(END_ALL)
        .bind(account.uuid())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?)
}

/// Deletes those that are over at `now`.
pub async fn prune(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, now).await
}
