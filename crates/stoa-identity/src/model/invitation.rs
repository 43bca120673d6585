//! An invitation into a workspace.

use serde::Serialize;
use stoa_base::{AccountId, Id, Timestamp, WorkspaceId};

use crate::{Email, Role, WorkspaceName};

/// Marks the ids of invitations.
#[derive(Debug)]
pub enum InvitationKind {}

/// The id of an invitation. It opens nothing.
pub type InvitationId = Id<InvitationKind>;

/// An invitation, as the members' page lists it. Neither its link nor its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who invites.
    pub invited_by: AccountId,
    /// What the invited person becomes.
    pub role: Role,
    /// The only address that may accept it; `None`: whoever has the link.
    pub email: Option<Email>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when it is refused.
    pub expires_at: Timestamp,
    /// When it was accepted.
    pub accepted_at: Option<Timestamp>,
    /// When it was withdrawn.
    pub withdrawn_at: Option<Timestamp>,
}

impl Invitation {
    /// Whether somebody with the role `inviter` may invite into `role`: an admin or owner, and into none above
    /// their own.
    #[must_use]
    pub fn may_give(inviter: Role, role: Role) -> bool {
        inviter >= Role::Admin && inviter >= role
    }
}

/// What the holder of an invitation's link is shown before deciding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The workspace's name.
    pub workspace: WorkspaceName,
    /// The address of who invites.
    pub invited_by: Email,
    /// What the invited person becomes.
    pub role: Role,
    /// The only address that may accept it.
    pub email: Option<Email>,
    /// From when it is refused.
    pub expires_at: Timestamp,
}
