//! The workspace that the first start makes.

use stoa_base::{Ambient, WorkspaceId};
use stoa_store::{Database, StoreError};

use crate::{Workspace, WorkspaceName, store};

/// The workspace `default`, made without an owner if it is not there. Nobody's act, so not under audit: an
/// entry belongs to a workspace, and before this there is none.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn ensure_default(db: &Database, ambient: &Ambient) -> Result<Workspace, StoreError> {
    let name = WorkspaceName::of_default();
    if let Some(there) = store::workspace::by_name(db, &name).await? {
        return Ok(there);
    }
    let new = Workspace { id: WorkspaceId::new(ambient), name, created_at: ambient.now() };
    let mut tx = db.begin().await?;
    store::workspace::insert(&mut tx, &new).await?;
    tx.commit().await?;
    // Another process may have been first.
    let made = store::workspace::by_name(db, &new.name).await?;
    Ok(made.unwrap_or(new))
}
