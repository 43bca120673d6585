//! Inviting somebody.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use super::ManageMembers;
use crate::{
    Authorized, Email, Invitation, InvitationId, Role, SecretKind, SecretToken, WorkspaceTarget, store,
};

/// How long an invitation is good.
const LIFE: Duration = Duration::from_hours(7 * 24);

/// Who is invited.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// What the person becomes.
    pub role: Role,
    /// The only address that may accept it; `None`: whoever has the link.
    pub email: Option<Email>,
}

/// An invitation that was made.
#[derive(Clone, Debug)]
pub struct AddedInvitation {
    /// As it is listed.
    pub invitation: Invitation,
    /// The secret of its link (`/invite#SECRET`), which can't be had again.
    pub secret: SecretToken,
}

/// Why nobody was invited.
#[derive(Debug, thiserror::Error)]
pub enum AddInvitationError {
    /// The role is above the inviter's own.
    #[error("you can invite people into your own role at most")]
    RoleTooHigh,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Invites somebody into the caller's workspace, for 7 days. The invitation is good for as long as its inviter may
/// give that role.
///
/// # Errors
/// [`AddInvitationError`]; nobody is invited then.
pub async fn add(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    new: NewInvitation,
) -> Result<AddedInvitation, AddInvitationError> {
    let caller = by.caller();
    if !Invitation::may_give(caller.role, new.role) {
        return Err(AddInvitationError::RoleTooHigh);
    }
    let at = ambient.now();
    let secret = SecretToken::new(SecretKind::Invitation, ambient);
    let invitation = Invitation {
        id: InvitationId::new(ambient),
        workspace: caller.workspace,
        invited_by: caller.account,
        role: new.role,
        email: new.email,
        created_at: at,
        expires_at: at.plus(LIFE),
        accepted_at: None,
        withdrawn_at: None,
    };
    let mut tx = db.begin().await?;
    store::invitation::insert(&mut tx, &invitation, &secret.hash()).await?;
    act.commit(tx).await?;
    Ok(AddedInvitation { invitation, secret })
}
