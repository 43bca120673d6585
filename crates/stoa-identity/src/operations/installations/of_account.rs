//! Listing what a person has connected.

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::{Database, StoreError};

use crate::{Connection, store};

/// The person's installations in the workspace with their clients, ended ones included, newest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn of_account(
    db: &Database,
    ambient: &Ambient,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<Vec<Connection>, StoreError> {
    store::oauth_installation::of_account(db, workspace, account, ambient.now()).await
}
