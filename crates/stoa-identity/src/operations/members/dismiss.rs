//! Parting another person from a workspace.

use stoa_base::{AccountId, Ambient};
use stoa_store::Database;
use stoa_store::audit::Act;

use super::remove::part;
use super::{ManageMemberError, decidable};
use crate::{Authorized, ManageMembers, WorkspaceTarget};

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
    part(&mut tx, ambient, workspace, (account, deciding.member)).await?;
    act.commit(tx).await?;
    Ok(())
}
