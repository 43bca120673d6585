//! Parting a person from a workspace.

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{Role, TOKENS, store};

/// Why a member could not be removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveMemberError {
    /// The person does not belong to the workspace.
    #[error("not a member of this workspace")]
    NotAMember,
    /// Without this person nobody could decide who belongs to the workspace.
    #[error("a workspace keeps at least one owner")]
    LastOwner,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Removes the account from the workspace and ends its installations there, for good: coming back as a member
/// revives none.
///
/// # Errors
/// [`RemoveMemberError`]; nothing changed then.
pub async fn remove(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<(), RemoveMemberError> {
    let mut tx = db.begin().await?;
    store::workspace::lock(&mut tx, workspace).await?;
    let role = store::membership::role(&mut tx, workspace, account).await?;
    let role = role.ok_or(RemoveMemberError::NotAMember)?;
    if role == Role::Owner && store::membership::owners(&mut tx, workspace).await? == 1 {
        return Err(RemoveMemberError::LastOwner);
    }
    store::membership::delete(&mut tx, workspace, account).await?;
    store::installation::end_all(&mut tx, workspace, account, ambient.now()).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(())
}
