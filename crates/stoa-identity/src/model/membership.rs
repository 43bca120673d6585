//! What a person is in a workspace, as pages list it.

use serde::Serialize;
use stoa_base::{AccountId, Timestamp};

use crate::{Email, Role, Workspace};

/// A person who belongs to a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Membership {
    /// The person.
    pub account: AccountId,
    /// Their address.
    pub email: Email,
    /// What they are there.
    pub role: Role,
    /// Since when they belong there.
    pub since: Timestamp,
    /// Whether the account may do nothing at present.
    pub is_disabled: bool,
}

/// A workspace to which a person belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Belonging {
    /// The workspace.
    pub workspace: Workspace,
    /// What the person is there.
    pub role: Role,
}
