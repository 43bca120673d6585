//! What a sync no longer finds: marked first, removed once the whole listing was seen.

use sqlx::types::Uuid;
use sqlx::{query, query_as};
use stoa_store::{StoreError, Tx, on, queries};

use super::{ReferenceRow, Row};
use crate::model::{ReferenceId, ResourceId};

queries! {
    /// The listing no longer has it.
    MARK_VANISHED = "UPDATE thing_reference SET vanished_in = $2 WHERE id = $1";
    /// The listing has it again.
    CLEAR_VANISHED = "UPDATE thing_reference SET vanished_in = NULL WHERE id = $1";
    /// Marks of earlier syncs that did not end.
    CLEAR_OLD_MARKS = "UPDATE thing_reference SET vanished_in = NULL
        WHERE resource_id = $1 AND vanished_in IS NOT NULL AND vanished_in <> $2";
    /// Some of those that vanished in this sync.
    VANISHED = "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
        WHERE resource_id = $1 AND vanished_in = $2 ORDER BY id LIMIT $3";
}

pub(crate) async fn mark_vanished(tx: &mut Tx, id: ReferenceId, run: Uuid) -> Result<(), StoreError> {
    on!(tx tx, c => query(MARK_VANISHED).bind(id.uuid()).bind(run).execute(c).await.map(|_| ()))?;
    Ok(())
}

pub(crate) async fn clear_vanished(tx: &mut Tx, id: ReferenceId) -> Result<(), StoreError> {
    on!(tx tx, c => query(CLEAR_VANISHED).bind(id.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Forgets what syncs before `run` had found missing.
pub(crate) async fn clear_old_marks(tx: &mut Tx, resource: ResourceId, run: Uuid) -> Result<(), StoreError> {
    on!(tx tx, c => query(CLEAR_OLD_MARKS).bind(resource.uuid()).bind(run).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Up to `limit` of what `run` found missing.
pub(crate) async fn vanished(
    tx: &mut Tx,
    resource: ResourceId,
    run: Uuid,
    limit: i64,
) -> Result<Vec<ReferenceRow>, StoreError> {
    let rows: Vec<Row> = on!(tx tx, c => query_as(VANISHED)
        .bind(resource.uuid())
        .bind(run)
        .bind(limit)
        .fetch_all(c)
        .await)?;
    Ok(rows.into_iter().map(ReferenceRow::from).collect())
}
