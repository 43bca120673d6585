//! The end of a workspace's audit, with the workspace.

use stoa_base::WorkspaceId;

use crate::{Database, StoreError, queries, sweep};

queries! {
    /// A batch of entries.
    ENTRIES = "DELETE FROM audit_entry WHERE seq IN
        (SELECT seq FROM audit_entry WHERE workspace_id = $1 LIMIT 1000)";
    /// The end of the chain.
    CHAIN = "DELETE FROM audit_chain WHERE workspace_id = $1";
}

/// Deletes every entry of a workspace that is gone, and its chain. What is left of it is the entry of its deletion, in
/// the audit of the workspace `default`.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn forget(db: &Database, workspace: WorkspaceId) -> Result<(), StoreError> {
    sweep(db, ENTRIES, workspace).await?;
    sweep(db, CHAIN, workspace).await
}
