//! Table `oauth_client`.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::{micros, unreadable};
use crate::MountId;
use crate::model::oauth::client::{ClientKind, OAuthClient, OAuthClientId};
use crate::model::oauth::metadata::CheckedMetadata;
use crate::model::oauth::redirect_uri::RedirectUri;

/// The columns of a client.
macro_rules! columns {
    () => {
        "oauth_client.id, oauth_client.workspace_id, oauth_client.service, oauth_client.kind,
            oauth_client.client_id, oauth_client.name, oauth_client.redirect_uris, oauth_client.created_at,
            oauth_client.seen_at, oauth_client.granted_at, oauth_client.fetched_at"
    };
}
pub(super) use columns;

/// Clients of a mount that nobody ever connected; `$1` is the workspace, `$2` the service.
macro_rules! unused {
    () => {
        "workspace_id = $1 AND service = $2 AND granted_at IS NULL AND kind <> 'configured'"
    };
}

/// Nobody asked about them since, and no person is about to decide.
macro_rules! forgotten {
    ($since:literal) => {
        concat!(
            "seen_at <= ",
            $since,
            " AND NOT EXISTS
            (SELECT 1 FROM oauth_request WHERE oauth_request.oauth_client_id = oauth_client.id)"
        )
    };
}

queries! {
    BY_CLIENT_ID = (concat!("SELECT ", columns!(), " FROM oauth_client
        WHERE workspace_id = $1 AND service = $2 AND client_id = $3"));
    BY_FINGERPRINT = (concat!("SELECT ", columns!(), " FROM oauth_client
        WHERE workspace_id = $1 AND service = $2 AND fingerprint = $3"));
    CONFIGURED = (concat!("SELECT ", columns!(), " FROM oauth_client
        WHERE workspace_id = $1 AND service = $2 AND kind = 'configured' ORDER BY client_id"));
    /// Nothing is inserted where the name or the metadata is known.
    INSERT = "INSERT INTO oauth_client (id, workspace_id, service, kind, client_id, name, redirect_uris,
            fingerprint, source, created_at, seen_at, fetched_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11) ON CONFLICT DO NOTHING";
    CHANGE = "UPDATE oauth_client SET kind = $2, name = $3, redirect_uris = $4, fetched_at = $5, seen_at = $6,
            fingerprint = NULL, source = NULL
        WHERE id = $1";
    SEEN = "UPDATE oauth_client SET seen_at = $2 WHERE id = $1";
    GRANTED = "UPDATE oauth_client SET granted_at = COALESCE(granted_at, $2), source = NULL, seen_at = $2
        WHERE id = $1";
    /// How many came from one source since `$4`, how many there are that nobody ever connected, and whether one of
    /// those may go.
    CROWD = (concat!("SELECT
            (SELECT COUNT(*) FROM oauth_client
                WHERE workspace_id = $1 AND service = $2 AND source = $3 AND created_at > $4) AS of_source,
            (SELECT COUNT(*) FROM oauth_client WHERE ", unused!(), ") AS unused,
            EXISTS (SELECT 1 FROM oauth_client WHERE ", unused!(), " AND ", forgotten!("$5"), ") AS has_room"));
    /// Makes room for one: the longest unused that nobody asked about since `$3`.
    EVICT = (concat!("DELETE FROM oauth_client WHERE id = (SELECT id FROM oauth_client
            WHERE ", unused!(), " AND ", forgotten!("$3"), " ORDER BY seen_at LIMIT 1)"));
    PRUNE = (concat!("DELETE FROM oauth_client
        WHERE granted_at IS NULL AND kind <> 'configured' AND ", forgotten!("$1")));
}

#[derive(FromRow)]
pub(super) struct Row {
    id: Uuid,
    workspace_id: Uuid,
    service: String,
    kind: String,
    client_id: String,
    name: Option<String>,
    redirect_uris: Json<Vec<String>>,
    created_at: i64,
    seen_at: i64,
    granted_at: Option<i64>,
    fetched_at: Option<i64>,
}

impl TryFrom<Row> for OAuthClient {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        // What an earlier version took and this one refuses is no longer a place to go, and no reason to fail.
        let redirect_uris = row.redirect_uris.0.iter().filter_map(|text| text.parse().ok()).collect();
        Ok(Self {
            id: OAuthClientId::from_uuid(row.id),
            mount: MountId::new(WorkspaceId::from_uuid(row.workspace_id), row.service),
            kind: ClientKind::of(&row.kind).ok_or(row.kind).map_err(unreadable("kind of client"))?,
            client_id: row.client_id,
            name: row.name,
            redirect_uris,
            created_at: Timestamp::from_micros(row.created_at),
            seen_at: Timestamp::from_micros(row.seen_at),
            granted_at: row.granted_at.map(Timestamp::from_micros),
            fetched_at: row.fetched_at.map(Timestamp::from_micros),
        })
    }
}

fn texts(redirect_uris: &[RedirectUri]) -> Json<Vec<&str>> {
    Json(redirect_uris.iter().map(RedirectUri::as_str).collect())
}

/// The client of this mount that calls itself so.
pub async fn by_client_id(
    db: &Database,
    mount: &MountId,
    client_id: &str,
) -> Result<Option<OAuthClient>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_CLIENT_ID)
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .bind(client_id)
        .fetch_optional(c)
        .await)?;
    row.map(OAuthClient::try_from).transpose()
}

/// The client of this mount that registered with this metadata.
pub async fn by_fingerprint(
    db: &Database,
    mount: &MountId,
    fingerprint: &[u8; 32],
) -> Result<Option<OAuthClient>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_FINGERPRINT)
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .bind(fingerprint.as_slice())
        .fetch_optional(c)
        .await)?;
    row.map(OAuthClient::try_from).transpose()
}

/// The clients of this mount that an operator named.
pub async fn configured(db: &Database, mount: &MountId) -> Result<Vec<OAuthClient>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(CONFIGURED)
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(OAuthClient::try_from).collect()
}

/// What tells where a new row came from and what it is the only one of.
#[derive(Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The hash of its metadata.
    pub fingerprint: Option<&'a [u8; 32]>,
    /// The keyed hash of the address.
    pub source: Option<&'a [u8; 8]>,
}

/// Adds the client. False if its name or its metadata is known at the mount.
pub async fn insert(tx: &mut Tx, client: &OAuthClient, origin: Origin<'_>) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(client.id.uuid())
        .bind(client.mount.workspace.uuid())
        .bind(&client.mount.service)
        .bind(client.kind.as_str())
        .bind(&client.client_id)
        .bind(&client.name)
        .bind(texts(&client.redirect_uris))
        .bind(origin.fingerprint.map(<[u8; 32]>::as_slice))
        .bind(origin.source.map(<[u8; 8]>::as_slice))
        .bind(client.created_at.as_micros())
        .bind(micros(client.fetched_at))
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Writes down what is now known of the client.
pub async fn change(
    tx: &mut Tx,
    client: &OAuthClient,
    kind: ClientKind,
    metadata: &CheckedMetadata,
    at: Timestamp,
) -> Result<(), StoreError> {
    let fetched_at = (kind == ClientKind::Document).then_some(at);
    on!(tx tx, c => query(CHANGE)
        .bind(client.id.uuid())
        .bind(kind.as_str())
        .bind(&metadata.name)
        .bind(texts(&metadata.redirect_uris))
        .bind(micros(fetched_at))
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes that the client was asked about.
pub async fn seen(tx: &mut Tx, id: OAuthClientId, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(SEEN).bind(id.uuid()).bind(at.as_micros()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Notes that a person connected the client: its row stays from now on.
pub async fn granted(tx: &mut Tx, id: OAuthClientId, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(GRANTED).bind(id.uuid()).bind(at.as_micros()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// How crowded a mount is.
#[derive(FromRow)]
pub struct Crowd {
    /// How many new clients came from one source.
    pub of_source: i64,
    /// How many there are that nobody ever connected.
    pub unused: i64,
    /// Whether one of those may go.
    pub has_room: bool,
}

/// What decides whether another client finds room.
#[derive(Clone, Copy)]
pub struct Newcomer<'a> {
    /// Where it would be known.
    pub mount: &'a MountId,
    /// Where it comes from.
    pub source: Option<&'a [u8; 8]>,
    /// Since when those of the same source are counted.
    pub since: Timestamp,
    /// Whoever was asked about since then does not go for it.
    pub fresh_since: Timestamp,
}

/// How crowded the mount is, at a glance.
pub async fn crowd(db: &Database, new: Newcomer<'_>) -> Result<Crowd, StoreError> {
    Ok(on!(read db, c => query_as(CROWD)
        .bind(new.mount.workspace.uuid())
        .bind(&new.mount.service)
        .bind(new.source.map(<[u8; 8]>::as_slice))
        .bind(new.since.as_micros())
        .bind(new.fresh_since.as_micros())
        .fetch_one(c)
        .await)?)
}

/// How crowded the mount is, in the transaction that adds to it.
pub async fn crowd_in(tx: &mut Tx, new: Newcomer<'_>) -> Result<Crowd, StoreError> {
    Ok(on!(tx tx, c => query_as(CROWD)
        .bind(new.mount.workspace.uuid())
        .bind(&new.mount.service)
        .bind(new.source.map(<[u8; 8]>::as_slice))
        .bind(new.since.as_micros())
        .bind(new.fresh_since.as_micros())
        .fetch_one(c)
        .await)?)
}

/// Deletes the client of the mount that has been unused the longest, if nobody asked about it since `before`.
pub async fn evict(tx: &mut Tx, mount: &MountId, before: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(EVICT)
        .bind(mount.workspace.uuid())
        .bind(&mount.service)
        .bind(before.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Deletes the clients that nobody ever connected and nobody asked about since `before`.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
