//! A person's founding of a workspace.

use stoa_base::{AccountId, Ambient};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use super::insert_owned;
use crate::{Role, Workspace, WorkspaceName, store};

/// Why a workspace was not founded.
#[derive(Debug, thiserror::Error)]
pub enum FoundWorkspaceError {
    /// Only the owners of `default` found workspaces.
    #[error("only an owner of the workspace default makes new ones")]
    NotAllowed,
    /// Another workspace has this name.
    #[error("there is a workspace {0} already")]
    NameTaken(WorkspaceName),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a workspace that the founder owns: an owner of `default`, whose server this is.
///
/// # Errors
/// [`FoundWorkspaceError`]; there is no new workspace then.
pub async fn found(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    founder: AccountId,
    name: WorkspaceName,
) -> Result<Workspace, FoundWorkspaceError> {
    let default = store::workspace::by_name(db, &WorkspaceName::of_default()).await?;
    let default = default.ok_or(FoundWorkspaceError::NotAllowed)?;
    let mut tx = db.begin().await?;
    store::workspace::lock(&mut tx, default.id).await?;
    if store::membership::role_now_within(&mut tx, default.id, founder).await? != Some(Role::Owner) {
        return Err(FoundWorkspaceError::NotAllowed);
    }
    let made = insert_owned(&mut tx, ambient, name, founder).await?;
    let workspace = made.map_err(FoundWorkspaceError::NameTaken)?;
    act.commit(tx).await?;
    Ok(workspace)
}
