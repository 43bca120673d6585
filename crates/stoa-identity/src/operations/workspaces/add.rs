//! Adding a workspace.

use stoa_base::{Ambient, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{Email, Role, Workspace, WorkspaceName, store};

/// Why a workspace could not be added.
#[derive(Debug, thiserror::Error)]
pub enum AddWorkspaceError {
    /// Another workspace has this name.
    #[error("there is a workspace {0} already")]
    NameTaken(WorkspaceName),
    /// Nobody has the owner's address.
    #[error("there is no account {0}")]
    UnknownOwner(Email),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a workspace with its first owner.
///
/// # Errors
/// [`AddWorkspaceError`]; nothing was added then.
pub async fn add(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    name: WorkspaceName,
    owner: &Email,
) -> Result<Workspace, AddWorkspaceError> {
    let account = store::account::by_email(db, owner).await?;
    let account = account.ok_or_else(|| AddWorkspaceError::UnknownOwner(owner.clone()))?;
    let workspace = Workspace { id: WorkspaceId::new(ambient), name, created_at: ambient.now() };
    let mut tx = db.begin().await?;
    if !store::workspace::insert(&mut tx, &workspace).await? {
        return Err(AddWorkspaceError::NameTaken(workspace.name));
    }
    store::membership::insert(&mut tx, workspace.id, account.id, Role::Owner, workspace.created_at).await?;
    act.commit(tx).await?;
    Ok(workspace)
}
