//! What a sync no longer finds: marked first, removed once the whole listing was seen.

use serde_json::Value;
use sqlx::types::Uuid;
use sqlx::{query, query_as};
use stoa_store::{StoreError, Tx, on, queries};

use super::{ReferenceRow, Row};
use crate::model::{ReferenceId, ResourceId};

queries! {
    /// The listing no longer has it. $1: JSON list.
    MARK_VANISHED = {
        sqlite: "UPDATE thing_reference SET vanished_in = $2
            WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        postgres: "UPDATE thing_reference SET vanished_in = $2
            WHERE id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// The listing has it again. $1: JSON list.
    CLEAR_VANISHED = {
        sqlite: "UPDATE thing_reference SET vanished_in = NULL
            WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        postgres: "UPDATE thing_reference SET vanished_in = NULL
            WHERE id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// Marks of earlier syncs that did not end.
    CLEAR_OLD_MARKS = "UPDATE thing_reference SET vanished_in = NULL
        WHERE resource_id = $1 AND vanished_in IS NOT NULL AND vanished_in <> $2";
    /// Some of those that vanished in this sync.
    VANISHED = "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
        WHERE resource_id = $1 AND vanished_in = $2 LIMIT $3";
}

pub(crate) async fn mark_vanished(tx: &mut Tx, ids: &[ReferenceId], run: Uuid) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let (sql, list) = (tx.dialect().text(&MARK_VANISHED), hex_list(ids));
    on!(tx tx, c => query(sql).bind(&list).bind(run).execute(c).await.map(|_| ()))?;
    Ok(())
}

pub(crate) async fn clear_vanished(tx: &mut Tx, ids: &[ReferenceId]) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let (sql, list) = (tx.dialect().text(&CLEAR_VANISHED), hex_list(ids));
    on!(tx tx, c => query(sql).bind(&list).execute(c).await.map(|_| ()))?;
    Ok(())
}

fn hex_list(ids: &[ReferenceId]) -> String {
    ids.iter().map(|id| id.uuid().simple().to_string()).collect::<Value>().to_string()
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
