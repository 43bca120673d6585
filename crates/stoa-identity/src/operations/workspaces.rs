//! Tenants.

mod add;
mod by_name;
mod delete;
mod deleted;
mod ensure_default;
mod found;
mod of_account;

pub use add::{AddWorkspaceError, add};
pub use by_name::by_name;
pub use delete::{DeleteWorkspaceError, delete};
pub use deleted::deleted;
pub use ensure_default::ensure_default;
pub use found::{FoundWorkspaceError, found};
pub use of_account::of_account;

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::{StoreError, Tx};

use crate::{MANAGE_WORKSPACE, Right, Role, Workspace, WorkspaceName, store};

/// To decide about a workspace as a whole: to take all of it away, and to delete it.
#[derive(Debug)]
pub enum ManageWorkspace {}

impl Right for ManageWorkspace {
    const NAME: &'static str = "manage_workspace";
    const SCOPE: &'static str = MANAGE_WORKSPACE;
    const LEAST_ROLE: Role = Role::Owner;
}

/// Makes a workspace with its first owner. `Err` with the name where another has it; nothing was made then.
async fn insert_owned(
    tx: &mut Tx,
    ambient: &Ambient,
    name: WorkspaceName,
    owner: AccountId,
) -> Result<Result<Workspace, WorkspaceName>, StoreError> {
    let workspace = Workspace { id: WorkspaceId::new(ambient), name, created_at: ambient.now() };
    if !store::workspace::insert(tx, &workspace).await? {
        return Ok(Err(workspace.name));
    }
    store::membership::insert(tx, workspace.id, owner, Role::Owner, workspace.created_at).await?;
    Ok(Ok(workspace))
}
