//! The end of a workspace's catalog, with the workspace.

use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError, queries, sweep};

queries! {
    /// A batch of references.
    REFERENCES = "DELETE FROM thing_reference WHERE id IN
        (SELECT thing_reference.id FROM thing_reference JOIN resource ON resource.id = thing_reference.resource_id
            WHERE resource.workspace_id = $1 LIMIT 500)";
    /// A batch of things; their texts, steps and aliases go with them.
    THINGS = "DELETE FROM thing WHERE seq IN (SELECT seq FROM thing WHERE workspace_id = $1 LIMIT 200)";
    /// Its places.
    RESOURCES = "DELETE FROM resource WHERE workspace_id = $1";
    /// The blocks of some segments of the index.
    BLOCKS = "DELETE FROM thing_block WHERE segment_id IN
        (SELECT id FROM thing_segment WHERE workspace_id = $1
            AND EXISTS (SELECT 1 FROM thing_block WHERE segment_id = thing_segment.id) LIMIT 4)";
    /// The segments.
    SEGMENTS = "DELETE FROM thing_segment WHERE workspace_id = $1";
}

/// Deletes every thing, place and index of a workspace that is gone.
///
/// # Errors
/// [`StoreError`] when the database refused, as where a sync has just added what hangs on what is deleted: the next
/// time finds that, too.
pub(crate) async fn forget(db: &Database, workspace: WorkspaceId) -> Result<(), StoreError> {
    for statement in [REFERENCES, THINGS, RESOURCES, BLOCKS, SEGMENTS] {
        sweep(db, statement, workspace).await?;
    }
    Ok(())
}
