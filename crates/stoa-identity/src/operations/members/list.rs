//! Listing who belongs to a workspace.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::{Membership, store};

/// Everybody who belongs to the workspace, disabled accounts included, in the order in which they came.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<Membership>, StoreError> {
    store::membership::list(db, workspace).await
}
