//! The end of what a workspace has here, with the workspace.

use std::io::ErrorKind;

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use super::{Things, prepare_workspace};
use crate::store;

/// Deletes every thing, place and index of a workspace that is gone. May be done again, for what came late.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn forget_workspace(db: &Database, workspace: WorkspaceId) -> Result<(), StoreError> {
    store::forget::forget(db, workspace).await
}

/// Deletes the files of the workspace's own storage. What lies in folders that were connected is not ours to delete.
///
/// # Errors
/// What the system says; no folder is none.
pub async fn forget_storage(things: &Things, workspace: WorkspaceId) -> std::io::Result<()> {
    match tokio::fs::remove_dir_all(prepare_workspace::storage(things, workspace)).await {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
