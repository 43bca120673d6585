//! Listing invitations.

use stoa_store::{Database, StoreError};

use super::ManageMembers;
use crate::{Authorized, Invitation, WorkspaceTarget, store};

/// The workspace's invitations, accepted, withdrawn and expired ones included, newest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(
    db: &Database,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
) -> Result<Vec<Invitation>, StoreError> {
    store::invitation::list(db, by.caller().workspace).await
}
