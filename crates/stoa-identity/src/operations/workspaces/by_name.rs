//! Finding a workspace.

use stoa_store::{Database, StoreError};

use crate::{Workspace, WorkspaceName, store};

/// The workspace with this name.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn by_name(db: &Database, name: &WorkspaceName) -> Result<Option<Workspace>, StoreError> {
    store::workspace::by_name(db, name).await
}
