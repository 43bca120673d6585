//! What concerns a whole workspace, over every crate: what it starts with, all that it has, its end.

pub mod delete;
pub mod estate;
pub mod export;
pub mod sweep;

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use stoa_base::{Ambient, WorkspaceId};
use stoa_identity::Workspace;
use stoa_identity::workspaces::DeleteWorkspaceError;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};
use stoa_web::{Download, Fault};
use things::Things;
use tokio::sync::Semaphore;
use tokio_util::io::ReaderStream;

use crate::house::House;
use crate::services;

/// The tenants of this house, for the pages and the commands. Cheap to clone.
#[derive(Clone)]
pub struct Tenancy {
    db: Database,
    ambient: Ambient,
    things: Things,
    /// Where exports are written before they are sent.
    folder: PathBuf,
    /// One export at a time: each reads the whole workspace.
    exports: Arc<Semaphore>,
}

impl Tenancy {
    /// Those of this house.
    #[must_use]
    pub fn new(house: &House, things: &Things) -> Self {
        Self {
            db: house.db.clone(),
            ambient: house.ambient.clone(),
            things: things.clone(),
            folder: house.config.data.clone(),
            exports: Arc::new(Semaphore::new(1)),
        }
    }

    /// Written whole before a byte of it is sent, so that what broke off is never taken for an export. The file has no
    /// name, and is gone with its last reader.
    async fn download(&self, workspace: Workspace) -> Result<Download, Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::Other(format!("export of a workspace: {error}"));
        let turn = self.exports.clone().acquire_owned().await.map_err(|error| fault(&error))?;
        let file = tempfile::tempfile_in(&self.folder).map_err(|error| fault(&error))?;
        let file = export::into_file(&self.db, &self.ambient, &workspace, file, turn).await;
        let file = file.map_err(|error| fault(&error))?;
        let length = file.metadata().map_err(|error| fault(&error))?.len();
        Ok(Download { length, bytes: ReaderStream::new(tokio::fs::File::from_std(file)).boxed() })
    }
}

impl stoa_web::Tenancy for Tenancy {
    fn prepare(&self, workspace: WorkspaceId) -> BoxFuture<'_, Result<(), StoreError>> {
        services::prepare(&self.things, workspace).boxed()
    }

    fn export(&self, workspace: Workspace) -> BoxFuture<'_, Result<Download, Fault>> {
        self.download(workspace).boxed()
    }

    fn delete(&self, act: Act, workspace: Workspace) -> BoxFuture<'_, Result<(), DeleteWorkspaceError>> {
        async move { delete::delete(self, &act, &workspace).await }.boxed()
    }
}
