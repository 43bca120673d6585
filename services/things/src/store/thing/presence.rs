//! Whether a thing is there: references come, the last one goes, and in the end the thing is deleted.

use std::collections::HashMap;

use serde_json::{Value, json};
use sqlx::types::Uuid;
use sqlx::{query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

use crate::model::ResourceId;

queries! {
    /// Of things that lost a reference ($1: JSON list), those that have none left are gone.
    LEAVE = {
        sqlite: "UPDATE thing SET gone_at = $2, gone_from = $3, gone_key = left.value->>1,
                superseded_by = (SELECT id FROM thing successor WHERE successor.seq = left.value->>2)
            FROM json_each($1) AS left WHERE thing.seq = left.value->>0
                AND NOT EXISTS (SELECT 1 FROM thing_reference r WHERE r.thing_seq = thing.seq)",
        postgres: "UPDATE thing SET gone_at = $2, gone_from = $3, gone_key = departure.key,
                superseded_by = (SELECT id FROM thing successor WHERE successor.seq = departure.successor)
            FROM (SELECT CAST(value->>0 AS BIGINT) AS seq, value->>1 AS key,
                    CAST(value->>2 AS BIGINT) AS successor
                FROM jsonb_array_elements(CAST($1 AS jsonb))) departure
            WHERE thing.seq = departure.seq
                AND NOT EXISTS (SELECT 1 FROM thing_reference r WHERE r.thing_seq = thing.seq)",
    };
    /// More references ($1: JSON list of things and how many): they take the numbers of units, and a thing
    /// that was gone is back.
    REFER = {
        sqlite: "UPDATE thing SET next_unit = next_unit + asked.value->>1,
                gone_at = NULL, gone_from = NULL, gone_key = NULL, superseded_by = NULL
            FROM json_each($1) AS asked WHERE thing.seq = asked.value->>0 RETURNING seq, next_unit",
        postgres: "UPDATE thing SET next_unit = next_unit + asked.count,
                gone_at = NULL, gone_from = NULL, gone_key = NULL, superseded_by = NULL
            FROM (SELECT CAST(value->>0 AS BIGINT) AS seq, CAST(value->>1 AS BIGINT) AS count
                FROM jsonb_array_elements(CAST($1 AS jsonb))) asked
            WHERE thing.seq = asked.seq RETURNING thing.seq, thing.next_unit",
    };
    /// A thing and, by cascade, its steps, text and aliases.
    DELETE = "DELETE FROM thing WHERE seq = $1";
    /// Some of those that have been gone for longer than they are kept.
    FORGET = "DELETE FROM thing WHERE gone_at < $2 AND seq IN
            (SELECT seq FROM thing WHERE workspace_id = $1 AND gone_at < $2 ORDER BY gone_at LIMIT $3)
        RETURNING seq, text_unit";
    /// The things of a range ($2 to $3) that are gone, at most $4.
    GONE_IN = "SELECT seq FROM thing WHERE workspace_id = $1 AND seq >= $2 AND seq < $3 AND gone_at IS NOT NULL
        ORDER BY seq LIMIT $4";
    /// Tenants who have any of them.
    WITH_LONG_GONE = "SELECT DISTINCT workspace_id FROM thing WHERE gone_at < $1";
}

/// A thing lost its reference at a key.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    /// The thing.
    pub seq: i64,
    /// The locator key.
    pub key: &'a str,
    /// The thing that is there now.
    pub successor: Option<i64>,
}

/// Notes which things are gone now, since they lost references in the resource and have no other. Of several
/// departures of a thing the last one counts.
pub(crate) async fn leave(
    tx: &mut Tx,
    resource: ResourceId,
    departures: &[Departure<'_>],
    now: Timestamp,
) -> Result<(), StoreError> {
    if departures.is_empty() {
        return Ok(());
    }
    let of_each: HashMap<i64, Value> = departures
        .iter()
        .map(|Departure { seq, key, successor }| (*seq, json!([seq, key, successor])))
        .collect();
    let (sql, list) = (tx.dialect().text(&LEAVE), of_each.into_values().collect::<Value>().to_string());
    on!(tx tx, c => query(sql)
        .bind(&list)
        .bind(now.as_micros())
        .bind(resource.uuid())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes more references to things, which brings those back that were gone: how many for each. Answers for
/// each thing the number that the unit of the first one takes; a thing that is missing there was deleted.
pub(crate) async fn refer(tx: &mut Tx, counts: &HashMap<i64, i64>) -> Result<HashMap<i64, i64>, StoreError> {
    if counts.is_empty() {
        return Ok(HashMap::new());
    }
    let list = counts.iter().map(|(seq, count)| json!([seq, count])).collect::<Value>();
    let (sql, list) = (tx.dialect().text(&REFER), list.to_string());
    let ends: Vec<(i64, i64)> = on!(tx tx, c => query_as(sql).bind(&list).fetch_all(c).await)?;
    Ok(ends.into_iter().filter_map(|(seq, end)| Some((seq, end - counts.get(&seq)?))).collect())
}

pub(crate) async fn delete(tx: &mut Tx, seq: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE).bind(seq).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Deletes up to `limit` things of the workspace that went before `before`; answers their seqs and the numbers
/// of their contents' units.
pub(crate) async fn forget(
    tx: &mut Tx,
    workspace: WorkspaceId,
    before: Timestamp,
    limit: i64,
) -> Result<Vec<(i64, i64)>, StoreError> {
    Ok(on!(tx tx, c => query_as(FORGET)
        .bind(workspace.uuid())
        .bind(before.as_micros())
        .bind(limit)
        .fetch_all(c)
        .await)?)
}

/// Up to `limit` of the workspace's things from `low` up to, without, `high` that are gone, by seq.
pub(crate) async fn gone_in(
    db: &Database,
    workspace: WorkspaceId,
    (low, high): (i64, i64),
    limit: i64,
) -> Result<Vec<i64>, StoreError> {
    Ok(on!(read db, c => query_scalar(GONE_IN)
        .bind(workspace.uuid())
        .bind(low)
        .bind(high)
        .bind(limit)
        .fetch_all(c)
        .await)?)
}

/// The workspaces that have things which went before `before`.
pub(crate) async fn with_long_gone(db: &Database, before: Timestamp) -> Result<Vec<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> =
        on!(read db, c => query_scalar(WITH_LONG_GONE).bind(before.as_micros()).fetch_all(c).await)?;
    Ok(ids.into_iter().map(WorkspaceId::from_uuid).collect())
}
