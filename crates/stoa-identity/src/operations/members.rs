//! Who belongs to a workspace.

mod add;
mod dismiss;
mod list;
mod remove;
mod set_role;

pub use add::add;
pub use dismiss::dismiss;
pub use list::list;
pub use remove::{RemoveMemberError, remove};
pub use set_role::set_role;

use stoa_base::AccountId;
use stoa_store::{StoreError, Tx};

use crate::{Authorized, Invitation, ManageMembers, Role, WorkspaceTarget, store};

/// Why a member's place in a workspace stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum ManageMemberError {
    /// The person does not belong to the workspace.
    #[error("not a member of this workspace")]
    NotAMember,
    /// Only an owner makes or unmakes an owner.
    #[error("only an owner decides about owners")]
    OwnersOnly,
    /// Without this person nobody could decide who owns the workspace.
    #[error("a workspace keeps at least one owner")]
    LastOwner,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RemoveMemberError> for ManageMemberError {
    fn from(error: RemoveMemberError) -> Self {
        match error {
            RemoveMemberError::NotAMember => Self::NotAMember,
            RemoveMemberError::LastOwner => Self::LastOwner,
            RemoveMemberError::Store(error) => Self::Store(error),
        }
    }
}

/// Who decides, and about whom.
struct Deciding {
    /// The role of who asks.
    caller: Role,
    /// The account's role.
    member: Role,
}

/// Both roles, where who asks may decide about the account. They are read behind the workspace's lock: who was an
/// owner a moment ago may be none now.
async fn decidable(
    tx: &mut Tx,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    account: AccountId,
) -> Result<Deciding, ManageMemberError> {
    let caller = by.caller();
    store::workspace::lock(tx, caller.workspace).await?;
    let deciding = store::membership::role_now_within(tx, caller.workspace, caller.account).await?;
    let role = store::membership::role(tx, caller.workspace, account).await?;
    let member = role.ok_or(ManageMemberError::NotAMember)?;
    match deciding {
        Some(caller) if Invitation::may_give(caller, member) => Ok(Deciding { caller, member }),
        _ => Err(ManageMemberError::OwnersOnly),
    }
}
