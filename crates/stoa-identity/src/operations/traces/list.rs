//! Listing what the server saw of clients.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};

use crate::model::oauth::trace::Trace;
use crate::store;

/// The newest traces of the workspace, at most `most`: of the client that called itself so, or of all.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(
    db: &Database,
    workspace: WorkspaceId,
    client: Option<&str>,
    most: u32,
) -> Result<Vec<Trace>, StoreError> {
    store::oauth_trace::list(db, workspace, client, i64::from(most)).await
}
