//! Adding a workspace.

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use super::insert_owned;
use crate::{Email, Workspace, WorkspaceName, store};

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
    let mut tx = db.begin().await?;
    let added = insert_owned(&mut tx, ambient, name, account.id).await?;
    let workspace = added.map_err(AddWorkspaceError::NameTaken)?;
    act.commit(tx).await?;
    Ok(workspace)
}
