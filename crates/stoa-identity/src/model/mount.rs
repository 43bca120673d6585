//! Where a token is good.

use serde::Serialize;
use stoa_base::WorkspaceId;

/// A mount: a service of a workspace, or all its services together. A token is good at exactly one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct MountId {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// A service's name (`things`), or `all` for the mount that lists every service.
    pub service: String,
}

impl MountId {
    /// The mount of `service` in `workspace`.
    #[must_use]
    pub fn new(workspace: WorkspaceId, service: impl Into<String>) -> Self {
        Self { workspace, service: service.into() }
    }
}
