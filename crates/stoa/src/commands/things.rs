//! `stoa things`: the catalog of files.

mod add;
mod search;
mod sync;

use std::sync::Arc;

use clap::Subcommand;
use stoa_base::{AccountId, Ambient, InstallationId, WorkspaceId};
use stoa_identity::{Caller, MountId, Reach, Role};
use stoa_store::audit::Credential;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;
use crate::services;

/// `stoa things …`
#[derive(Debug, Subcommand)]
pub enum Things {
    /// Connect a place where files live and print its id
    Add(add::Add),
    /// Catalog what lies in a place
    Sync(sync::Sync),
    /// Search the catalog
    Search(search::Search),
}

impl Things {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        match self {
            Self::Add(add) => add.run(context, house).await,
            Self::Sync(sync) => sync.run(context, house).await,
            Self::Search(search) => search.run(context, house).await,
        }
    }
}

/// Whoever sits at the machine, as a caller of operations: they own the data folder and need nobody's leave.
/// The account and the installation are of this one command, and nothing else has them.
fn operator(workspace: WorkspaceId, ambient: &Ambient) -> Result<Arc<Caller>, Failure> {
    let mount = services::mount(::things::NAME)?;
    Ok(Arc::new(Caller {
        workspace,
        account: AccountId::new(ambient),
        role: Role::Owner,
        installation: InstallationId::new(ambient),
        label: "command line".to_owned(),
        client: None,
        mount: MountId::new(workspace, mount.name),
        scopes: mount.scopes().collect(),
        reach: Reach::Everything,
        run_budget: None,
        credential: Credential::Local,
    }))
}
