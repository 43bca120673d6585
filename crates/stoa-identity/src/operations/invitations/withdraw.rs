//! Withdrawing an invitation.

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use super::ManageMembers;
use crate::{Authorized, InvitationId, WorkspaceTarget, store};

/// Withdraws an invitation of the caller's workspace. False if it was accepted or withdrawn before, or is not there.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn withdraw(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    by: &Authorized<WorkspaceTarget, ManageMembers>,
    id: InvitationId,
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let withdrawn = store::invitation::withdraw(&mut tx, by.caller().workspace, id, ambient.now()).await?;
    act.commit(tx).await?;
    Ok(withdrawn)
}
