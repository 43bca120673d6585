//! Table `deleted_workspace`.

use sqlx::types::Uuid;
use sqlx::{query, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

queries! {
    INSERT = "INSERT INTO deleted_workspace (id, deleted_at) VALUES ($1, $2)";
    ALL = "SELECT id FROM deleted_workspace ORDER BY deleted_at";
    PRUNE = "DELETE FROM deleted_workspace WHERE deleted_at <= $1";
}

/// Notes that it was deleted.
pub async fn insert(tx: &mut Tx, id: WorkspaceId, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(id.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Those that were deleted lately.
pub async fn all(db: &Database) -> Result<Vec<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> = on!(read db, c => query_scalar(ALL).fetch_all(c).await)?;
    Ok(ids.into_iter().map(WorkspaceId::from_uuid).collect())
}

/// Forgets those that were deleted before `before`.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
