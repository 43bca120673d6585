//! Table `workspace`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Workspace, WorkspaceName};

queries! {
    /// Nothing is inserted where the name is taken.
    INSERT = "INSERT INTO workspace (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
    BY_NAME = "SELECT id, name, created_at FROM workspace WHERE name = $1";
    /// Waits until no other transaction holds it, and holds it. SQLite has one writer anyway.
    LOCK = {
        sqlite: "SELECT id FROM workspace WHERE id = $1",
        postgres: "SELECT id FROM workspace WHERE id = $1 FOR NO KEY UPDATE",
    };
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    name: String,
    created_at: i64,
}

impl TryFrom<Row> for Workspace {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: WorkspaceId::from_uuid(row.id),
            name: row.name.parse().map_err(unreadable("workspace name"))?,
            created_at: Timestamp::from_micros(row.created_at),
        })
    }
}

/// Adds the workspace. False if its name is taken.
pub async fn insert(tx: &mut Tx, workspace: &Workspace) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(workspace.id.uuid())
        .bind(workspace.name.as_str())
        .bind(workspace.created_at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// The workspace with this name.
pub async fn by_name(db: &Database, name: &WorkspaceName) -> Result<Option<Workspace>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_NAME).bind(name.as_str()).fetch_optional(c).await)?;
    row.map(Workspace::try_from).transpose()
}

/// Makes transactions that decide who may what in this workspace wait for one another, so that each decides
/// on what the one before it left.
pub async fn lock(tx: &mut Tx, id: WorkspaceId) -> Result<(), StoreError> {
    let text = tx.dialect().text(&LOCK);
    on!(tx tx, c => query_scalar::<_, Uuid>(text).bind(id.uuid()).fetch_optional(c).await.map(|_| ()))?;
    Ok(())
}
