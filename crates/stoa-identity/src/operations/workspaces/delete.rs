//! Deleting a workspace.

use stoa_base::{Ambient, InstallationId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, WORKSPACES, Workspace, WorkspaceName, store};

/// Why a workspace was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteWorkspaceError {
    /// It is the one in which the server itself lives.
    #[error("the workspace default can't be deleted: it is the server's own")]
    IsDefault,
    /// Somebody else was faster.
    #[error("there is no workspace {0} any more")]
    Gone(WorkspaceName),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Deletes a workspace with who belongs to it, their agents' access, clients and invitations there: from the next
/// request on nobody is let in. Accounts stay, since they are people's. What other crates keep of it is swept away
/// afterwards ([`super::deleted`]); what these installations had may be, too, so they are told. The act is the
/// house's, since the workspace's own audit goes with it.
///
/// # Errors
/// [`DeleteWorkspaceError`]; nothing was deleted then.
pub async fn delete(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    workspace: &Workspace,
) -> Result<Vec<InstallationId>, DeleteWorkspaceError> {
    if workspace.name == WorkspaceName::of_default() {
        return Err(DeleteWorkspaceError::IsDefault);
    }
    let mut tx = db.begin().await?;
    if !store::estate::hold(&mut tx, workspace.id).await? {
        return Err(DeleteWorkspaceError::Gone(workspace.name.clone()));
    }
    let installations = store::estate::installations(&mut tx, workspace.id).await?;
    store::estate::delete(&mut tx, workspace.id).await?;
    store::deleted_workspace::insert(&mut tx, workspace.id, ambient.now()).await?;
    tx.wake(TOKENS);
    tx.wake(WORKSPACES);
    act.commit(tx).await?;
    Ok(installations)
}
