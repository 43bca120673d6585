//! What a new workspace starts with, which the services know.

use futures::future::BoxFuture;
use stoa_base::WorkspaceId;
use stoa_store::StoreError;

/// Who gives a new workspace what it starts with in each service.
pub trait Preparing: Send + Sync {
    /// Does so; nothing happens to what is there already.
    fn prepare(&self, workspace: WorkspaceId) -> BoxFuture<'_, Result<(), StoreError>>;
}
