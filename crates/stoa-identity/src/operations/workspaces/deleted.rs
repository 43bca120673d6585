//! Workspaces that were deleted lately.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::store;

/// The workspaces that were deleted within a day or so: what was under way then (a call's entry in the audit, the
/// step of a run) may have been written after them, and is to be swept away.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn deleted(db: &Database) -> Result<Vec<WorkspaceId>, StoreError> {
    store::deleted_workspace::all(db).await
}
