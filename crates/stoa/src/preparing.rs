//! What a new workspace starts with, for the pages.

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_base::WorkspaceId;
use stoa_store::StoreError;
use stoa_web::Preparing;
use things::Things;

use crate::services;

/// The services that give a workspace something.
pub struct Prepared {
    /// The service things.
    pub things: Things,
}

impl Preparing for Prepared {
    fn prepare(&self, workspace: WorkspaceId) -> BoxFuture<'_, Result<(), StoreError>> {
        services::prepare(&self.things, workspace).boxed()
    }
}
