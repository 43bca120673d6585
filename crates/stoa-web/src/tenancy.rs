//! What concerns a whole workspace, which only who knows every service can do.

use axum::body::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use stoa_base::WorkspaceId;
use stoa_identity::Workspace;
use stoa_identity::workspaces::DeleteWorkspaceError;
use stoa_store::StoreError;
use stoa_store::audit::Act;

use crate::respond::Fault;

/// A file on its way to a person.
pub struct Download {
    /// How many bytes it has.
    pub length: u64,
    /// The bytes.
    pub bytes: BoxStream<'static, std::io::Result<Bytes>>,
}

/// Who knows all that a workspace has.
pub trait Tenancy: Send + Sync {
    /// Gives a new workspace what it starts with in each service; nothing happens to what is there already.
    fn prepare(&self, workspace: WorkspaceId) -> BoxFuture<'_, Result<(), StoreError>>;

    /// All that leaves the house of a workspace, in one `tar.gz`: no secret, nor what proves one.
    fn export(&self, workspace: Workspace) -> BoxFuture<'_, Result<Download, Fault>>;

    /// Deletes a workspace with all that it has. The act is the house's.
    fn delete(&self, act: Act, workspace: Workspace) -> BoxFuture<'_, Result<(), DeleteWorkspaceError>>;
}
