//! Deleting all that a workspace had, once it is gone.

use sqlx::query;
use stoa_base::WorkspaceId;

use crate::{Database, StoreError, on};

/// Deletes by `statement` until it finds nothing more. `$1` is the workspace, and the statement takes a batch at a
/// time: each is a transaction of its own, so that no other writer waits for long.
///
/// # Errors
/// [`StoreError`] when the database refused. What was deleted stays so.
pub async fn sweep(db: &Database, statement: &'static str, workspace: WorkspaceId) -> Result<(), StoreError> {
    loop {
        let mut tx = db.begin().await?;
        let deleted = on!(tx tx, c => query(statement)
            .bind(workspace.uuid())
            .execute(c)
            .await
            .map(|done| done.rows_affected()))?;
        tx.commit().await?;
        if deleted == 0 {
            return Ok(());
        }
    }
}
