//! Parting a person from a workspace.

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError, Tx};

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
    part(&mut tx, ambient, workspace, (account, role)).await?;
    act.commit(tx).await?;
    Ok(())
}

/// The same for an account that has this role, behind the workspace's lock.
pub(super) async fn part(
    tx: &mut Tx,
    ambient: &Ambient,
    workspace: WorkspaceId,
    (account, role): (AccountId, Role),
) -> Result<(), RemoveMemberError> {
    if is_last_owner(tx, workspace, (account, role)).await? {
        return Err(RemoveMemberError::LastOwner);
    }
    store::membership::delete(tx, workspace, account).await?;
    store::installation::end_all(tx, workspace, account, ambient.now()).await?;
    tx.wake(TOKENS);
    Ok(())
}

/// Whether the workspace would be left without an owner who can sign in.
pub(super) async fn is_last_owner(
    tx: &mut Tx,
    workspace: WorkspaceId,
    (leaving, role): (AccountId, Role),
) -> Result<bool, StoreError> {
    Ok(role == Role::Owner && !store::membership::has_other_owner(tx, workspace, leaving).await?)
}
