//! Taking a person into a workspace.

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{Role, store};

/// Makes the account a member of the workspace in this role. False if it was a member before; its role stays
/// then.
///
/// # Errors
/// [`StoreError`] when the database refused, as for an account that is not there.
pub async fn add(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    workspace: WorkspaceId,
    account: AccountId,
    role: Role,
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let added = store::membership::insert(&mut tx, workspace, account, role, ambient.now()).await?;
    act.commit(tx).await?;
    Ok(added)
}
