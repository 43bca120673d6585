//! A token, as far as it may be shown.

use serde::Serialize;
use stoa_base::{Id, InstallationId, Timestamp, WorkspaceId};

use crate::{Email, Installation, WorkspaceName};

/// Marks the ids of tokens.
#[derive(Debug)]
pub enum Token {}

/// The id of a token. It opens nothing: it may be shown and logged.
pub type TokenId = Id<Token>;

/// A token, as the commands and pages list it. Neither its text nor its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenRecord {
    /// Its id.
    pub id: TokenId,
    /// The address of the person whose rights it uses.
    pub email: Email,
    /// The name of the workspace it is good in.
    pub workspace: WorkspaceName,
    /// What it belongs to: mount, grant, label, last use.
    pub installation: Installation,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when it is refused; `None`: never.
    pub expires_at: Option<Timestamp>,
    /// Since when it is refused, alone or with its installation.
    pub revoked_at: Option<Timestamp>,
}

/// Where a token belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TokenPlace {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// The installation.
    pub installation: InstallationId,
}
