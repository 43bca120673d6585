//! Changing what a person is in a workspace.

use stoa_base::AccountId;
use stoa_store::Database;
use stoa_store::audit::Act;

use super::remove::is_last_owner;
use super::{ManageMemberError, decidable};
use crate::{Authorized, Invitation, ManageMembers, Role, TOKENS, WorkspaceTarget, store};

/// Gives a member of the caller's workspace another role, which holds from their next request on. Owners are made
/// and unmade by owners alone; the last one stays one.
///
/// # Errors
/// [`ManageMemberError`]; nothing changed then.
pub async fn set_role(
    db: &Database,
    act: &Act,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    account: AccountId,
    role: Role,
) -> Result<(), ManageMemberError> {
    let workspace = by.caller().workspace;
    let mut tx = db.begin().await?;
    let deciding = decidable(&mut tx, by, account).await?;
    if !Invitation::may_give(deciding.caller, role) {
        return Err(ManageMemberError::OwnersOnly);
    }
    if role != Role::Owner && is_last_owner(&mut tx, workspace, (account, deciding.member)).await? {
        return Err(ManageMemberError::LastOwner);
    }
    store::membership::set_role(&mut tx, workspace, account, role).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(())
}
