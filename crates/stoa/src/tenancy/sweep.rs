//! Sweeping away what a deleted workspace left.

use stoa_base::WorkspaceId;
use stoa_identity::workspaces;
use stoa_store::{Database, StoreError, audit};
use things::operations::forget_workspace::forget_workspace;

/// Deletes what every crate keeps of a workspace that is gone. Runs go first: with them whoever works for it stops.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn sweep(db: &Database, workspace: WorkspaceId) -> Result<(), StoreError> {
    stoa_runs::forget(db, workspace).await?;
    forget_workspace(db, workspace).await?;
    audit::forget(db, workspace).await
}

/// The same for each that was deleted lately: what was under way then may have come late, and a node may have been
/// stopped half-way.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn sweep_deleted(db: &Database) -> Result<(), StoreError> {
    for workspace in workspaces::deleted(db).await? {
        sweep(db, workspace).await?;
    }
    Ok(())
}
