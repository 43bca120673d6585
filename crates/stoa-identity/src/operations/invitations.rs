//! Invitations into a workspace.

mod accept;
mod add;
mod list;
mod offer;
mod withdraw;

pub use accept::{AcceptError, accept, accept_as_new};
pub use add::{AddInvitationError, AddedInvitation, NewInvitation, add};
pub use list::list;
pub use offer::offer;
pub use withdraw::withdraw;

use crate::{MANAGE_MEMBERS, Right, Role};

/// To decide who belongs to a workspace: to invite, to see and to withdraw invitations.
#[derive(Debug)]
pub enum ManageMembers {}

impl Right for ManageMembers {
    const NAME: &'static str = "manage_members";
    const SCOPE: &'static str = MANAGE_MEMBERS;
    const LEAST_ROLE: Role = Role::Admin;
}
