//! Listing personal tokens.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::{TokenRecord, store};

/// The personal tokens of the workspace, expired and revoked ones included, newest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<TokenRecord>, StoreError> {
    store::token::list(db, workspace).await
}
