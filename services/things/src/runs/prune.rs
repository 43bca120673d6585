//! Forgetting things that have been gone for long, and what is left of merges.

use std::time::Duration;

use stoa_base::{Ambient, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError};

use crate::store::{catalog, index, thing, turn};

/// How long a thing without a reference is kept.
const KEEP: Duration = Duration::from_hours(30 * 24);
/// Things that one transaction forgets.
const BATCH: i64 = 200;

/// Forgets things that have been gone for more than 30 days, with their text and their place in the index, and
/// deletes what was replaced in the index.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn prune(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let before = ambient.now().minus(KEEP);
    for workspace in thing::with_long_gone(db, before).await? {
        let mut is_left = true;
        while is_left {
            is_left = forget(db, workspace, before).await?;
            index::settle(db, ambient, workspace).await;
        }
    }
    index::delete_replaced(db, ambient).await
}

/// Forgets a batch; answers whether there may be more.
async fn forget(db: &Database, workspace: WorkspaceId, before: Timestamp) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    turn::take(&mut tx, workspace).await?;
    let forgotten = catalog::forget(&mut tx, workspace, before, BATCH).await?;
    tx.commit().await?;
    Ok(i64::try_from(forgotten) == Ok(BATCH))
}
