//! Listing installations.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::{Installation, store};

/// The installations of the workspace, ended ones included, newest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<Installation>, StoreError> {
    store::installation::list(db, workspace).await
}
