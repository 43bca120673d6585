//! Resources: the places where things live.

use serde_json::Value;
use sqlx::types::{Json, Uuid};
use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

use crate::model::ResourceId;

queries! {
    /// A new resource; nothing where the workspace has one of this name.
    INSERT = "INSERT INTO resource (id, workspace_id, name, connector, configuration, is_default, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, name) DO NOTHING RETURNING id";
    /// One, within its tenant.
    BY_ID = "SELECT id, workspace_id, name, connector, configuration, is_default, synced_at, sync_counts,
            sync_error FROM resource WHERE workspace_id = $1 AND id = $2";
    /// All of a tenant, the default one first.
    OF_WORKSPACE = "SELECT id, workspace_id, name, connector, configuration, is_default, synced_at, sync_counts,
            sync_error FROM resource WHERE workspace_id = $1 ORDER BY is_default DESC, name";
    /// All of every tenant, for the watchers.
    ALL = "SELECT id, workspace_id, name, connector, configuration, is_default, synced_at, sync_counts,
            sync_error FROM resource ORDER BY id";
    /// What the last sync found.
    SYNCED = "UPDATE resource SET synced_at = $2, sync_counts = $3, sync_error = $4 WHERE id = $1";
    /// The last sync failed; when it last succeeded stays.
    FAILED = "UPDATE resource SET sync_error = $2 WHERE id = $1";
    /// Whether anything lies in it.
    HAS_REFERENCES = "SELECT COUNT(*) FROM (SELECT 1 FROM thing_reference WHERE resource_id = $1 LIMIT 1) found";
}

/// A resource, as stored.
#[derive(Clone, Debug)]
pub struct ResourceRow {
    /// Its id.
    pub id: ResourceId,
    /// Its tenant.
    pub workspace: WorkspaceId,
    /// Its name, unique in the workspace.
    pub name: String,
    /// The connector that reaches it.
    pub connector: String,
    /// What the connector needs, less credentials.
    pub configuration: Value,
    /// Whether exports go here when told nothing.
    pub is_default: bool,
    /// When the last sync ended well.
    pub synced_at: Option<Timestamp>,
    /// What that sync counted.
    pub sync_counts: Option<Value>,
    /// What was wrong with the last sync.
    pub sync_error: Option<String>,
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    workspace_id: Uuid,
    name: String,
    connector: String,
    configuration: Json<Value>,
    is_default: bool,
    synced_at: Option<i64>,
    sync_counts: Option<Json<Value>>,
    sync_error: Option<String>,
}

impl From<Row> for ResourceRow {
    fn from(row: Row) -> Self {
        Self {
            id: ResourceId::from_uuid(row.id),
            workspace: WorkspaceId::from_uuid(row.workspace_id),
            name: row.name,
            connector: row.connector,
            configuration: row.configuration.0,
            is_default: row.is_default,
            synced_at: row.synced_at.map(Timestamp::from_micros),
            sync_counts: row.sync_counts.map(|counts| counts.0),
            sync_error: row.sync_error,
        }
    }
}

/// Adds a resource; `false` where the workspace has one of this name already.
pub(crate) async fn insert(tx: &mut Tx, resource: &ResourceRow, now: Timestamp) -> Result<bool, StoreError> {
    let added: Option<Uuid> = on!(tx tx, c => query_scalar(INSERT)
        .bind(resource.id.uuid())
        .bind(resource.workspace.uuid())
        .bind(&resource.name)
        .bind(&resource.connector)
        .bind(Json(&resource.configuration))
        .bind(resource.is_default)
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    Ok(added.is_some())
}

/// One resource of this workspace.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn by_id(
    db: &Database,
    workspace: WorkspaceId,
    id: ResourceId,
) -> Result<Option<ResourceRow>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_ID)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .fetch_optional(c)
        .await)?;
    Ok(row.map(ResourceRow::from))
}

/// All resources of this workspace, the default one first, then by name.
pub(crate) async fn of_workspace(
    db: &Database,
    workspace: WorkspaceId,
) -> Result<Vec<ResourceRow>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(OF_WORKSPACE).bind(workspace.uuid()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ResourceRow::from).collect())
}

/// All resources of all workspaces.
pub(crate) async fn all(db: &Database) -> Result<Vec<ResourceRow>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(ALL).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ResourceRow::from).collect())
}

/// Notes that a sync ended: when, what it counted, and what it could not read.
pub(crate) async fn synced(
    tx: &mut Tx,
    id: ResourceId,
    at: Timestamp,
    counts: &Value,
    problem: Option<&str>,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(SYNCED)
        .bind(id.uuid())
        .bind(at.as_micros())
        .bind(Json(counts))
        .bind(problem)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes that a sync failed.
pub(crate) async fn failed(tx: &mut Tx, id: ResourceId, problem: &str) -> Result<(), StoreError> {
    on!(tx tx, c => query(FAILED).bind(id.uuid()).bind(problem).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Whether the resource holds anything.
pub(crate) async fn has_references(db: &Database, id: ResourceId) -> Result<bool, StoreError> {
    let found: i64 = on!(read db, c => query_scalar(HAS_REFERENCES).bind(id.uuid()).fetch_one(c).await)?;
    Ok(found > 0)
}
