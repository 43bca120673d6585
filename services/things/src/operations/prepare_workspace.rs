//! What every workspace starts with: the resource `storage`, where exports go when told nothing.

use std::path::PathBuf;

use serde_json::json;
use stoa_base::{Id, WorkspaceId};
use stoa_store::StoreError;

use super::Things;
use crate::store::resource::{self, ResourceRow};

/// The name of the default storage.
const STORAGE: &str = "storage";

/// Gives a workspace its default storage, a folder of its own in the data folder. Does nothing where it has
/// one.
///
/// # Errors
/// [`StoreError`] when the database could not be written.
pub async fn prepare_workspace(things: &Things, workspace: WorkspaceId) -> Result<(), StoreError> {
    let known = resource::of_workspace(things.db(), workspace).await?;
    if known.iter().any(|row| row.is_default) {
        return Ok(());
    }
    let row = ResourceRow {
        id: Id::new(things.ambient()),
        workspace,
        name: STORAGE.to_owned(),
        connector: "folder".to_owned(),
        configuration: json!({ "path": storage(things, workspace) }),
        is_default: true,
        synced_at: None,
        sync_counts: None,
        sync_error: None,
    };
    let mut tx = things.db().begin().await?;
    resource::insert(&mut tx, &row, things.ambient().now()).await?;
    tx.commit().await
}

/// The folder of the workspace's default storage.
pub(super) fn storage(things: &Things, workspace: WorkspaceId) -> PathBuf {
    things.settings().storage.join(workspace.to_string())
}
