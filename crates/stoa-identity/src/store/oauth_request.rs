//! Table `oauth_request`.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::Timestamp;
use stoa_store::{Database, StoreError, Tx, on, queries};

use super::oauth_client::{self, columns};
use super::unreadable;
use crate::model::oauth::authorization::Authorization;
use crate::model::oauth::client::OAuthClient;
use crate::model::oauth::redirect_uri::RedirectUri;
use crate::model::oauth::request::Person;
use crate::{MountId, Scopes, TokenHash};

queries! {
    INSERT = "INSERT INTO oauth_request (hash, workspace_id, service, oauth_client_id, account_id, session_id,
            redirect_uri, state, challenge, scopes, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    FIND = (concat!("SELECT oauth_request.redirect_uri, oauth_request.state, oauth_request.challenge,
            oauth_request.scopes, ", columns!(), "
        FROM oauth_request JOIN oauth_client ON oauth_client.id = oauth_request.oauth_client_id
        WHERE oauth_request.hash = $1 AND oauth_request.workspace_id = $2 AND oauth_request.service = $3
            AND oauth_request.account_id = $4 AND oauth_request.session_id = $5 AND oauth_request.expires_at > $6"));
    TAKE = "DELETE FROM oauth_request WHERE hash = $1";
    /// All of a person's but the newest so many.
    CROWD_OUT = "DELETE FROM oauth_request WHERE workspace_id = $1 AND account_id = $2 AND hash NOT IN (
            SELECT hash FROM oauth_request WHERE workspace_id = $1 AND account_id = $2
            ORDER BY created_at DESC, hash LIMIT $3)";
    PRUNE = "DELETE FROM oauth_request WHERE expires_at <= $1";
}

/// A request that waits for its person.
pub struct Waiting {
    /// Who asks.
    pub client: OAuthClient,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    /// What the client wants back.
    pub state: Option<String>,
    /// What the code will be bound to.
    pub challenge: String,
    /// What was asked for.
    pub scopes: Scopes,
}

impl From<Authorization> for Waiting {
    fn from(authorization: Authorization) -> Self {
        let Authorization { client, redirect_uri, state, challenge, scopes, prompt: _ } = authorization;
        Self { client, redirect_uri, state, challenge, scopes }
    }
}

#[derive(FromRow)]
struct Row {
    redirect_uri: String,
    state: Option<String>,
    challenge: String,
    scopes: Json<Scopes>,
    #[sqlx(flatten)]
    client: oauth_client::Row,
}

impl TryFrom<Row> for Waiting {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            client: row.client.try_into()?,
            redirect_uri: row.redirect_uri.parse().map_err(unreadable("redirect URI"))?,
            state: row.state,
            challenge: row.challenge,
            scopes: row.scopes.0,
        })
    }
}

/// Writes the request down.
pub async fn insert(
    tx: &mut Tx,
    hash: &TokenHash,
    waiting: &Waiting,
    person: Person,
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    let mount = &waiting.client.mount;
    on!(tx tx, c => query(INSERT)
        .bind(hash.as_bytes())
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .bind(waiting.client.id.uuid())
        .bind(person.account.uuid())
        .bind(person.session)
        .bind(waiting.redirect_uri.as_str())
        .bind(&waiting.state)
        .bind(&waiting.challenge)
        .bind(Json(&waiting.scopes))
        .bind(at.as_micros())
        .bind(expires_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// The request, if it waits at this mount for this person in this session.
pub async fn find(
    db: &Database,
    hash: &TokenHash,
    mount: &MountId,
    person: Person,
    now: Timestamp,
) -> Result<Option<Waiting>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(FIND)
        .bind(hash.as_bytes())
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .bind(person.account.uuid())
        .bind(person.session)
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    row.map(Waiting::try_from).transpose()
}

/// Takes the request away. False if somebody was first: of two clicks one counts.
pub async fn take(tx: &mut Tx, hash: &TokenHash) -> Result<bool, StoreError> {
    let taken = on!(tx tx, c => query(TAKE)
        .bind(hash.as_bytes())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(taken == 1)
}

/// Deletes all requests of the person in the workspace but the newest `most`.
pub async fn crowd_out(tx: &mut Tx, mount: &MountId, person: Person, most: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(CROWD_OUT)
        .bind(mount.workspace.uuid())
        .bind(person.account.uuid())
        .bind(most)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Deletes what waits no longer.
pub async fn prune(tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, now).await
}
