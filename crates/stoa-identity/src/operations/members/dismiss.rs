//! Parting another person from a workspace.

use stoa_base::{AccountId, Ambient};
use stoa_store::Database;
use stoa_store::audit::Act;

use super::{ManageMemberError, decidable, keep_an_owner};
use crate::{Authorized, ManageMembers, TOKENS, WorkspaceTarget, store};

/// Removes a member of the caller's workspace and ends their installations there, for good. An owner is removed
/// by owners alone, and the last one by nobody.
///
/// # Errors
/// [`ManageMemberError`]; nothing changed then.
pub async fn dismiss(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    account: AccountId,
) -> Result<(), ManageMemberError> {
    let workspace = by.caller().workspace;
    let mut tx = db.begin().await?;
    let deciding = decidable(&mut tx, by, account).await?;
    keep_an_owner(&mut tx, workspace, deciding.member).await?;
    store::membership::delete(&mut tx, workspace, account).await?;
    store::installation::end_all(&mut tx, workspace, account, ambient.now()).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(())
}
