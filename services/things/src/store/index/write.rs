//! Writing segments, and putting away those that were merged into others.

use serde_json::json;
use sqlx::types::Uuid;
use sqlx::{query, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

use super::Changes;
use super::block::Block;
use super::segment::{Segment, build};

/// How many segments are deleted at once.
const DELETED_AT_ONCE: i64 = 16;
/// How many bytes of blocks one statement takes.
const STATEMENT_BYTES: usize = 1 << 20;

queries! {
    /// A segment.
    INSERT_SEGMENT = "INSERT INTO thing_segment (workspace_id, low, high, units, dead, bytes)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id";
    /// Blocks of a segment ($1): a JSON list of what they are ($2), and their bodies one after the other ($3).
    INSERT_BLOCKS = {
        sqlite: "INSERT INTO thing_block (segment_id, stream, word, part, low, high, body)
            SELECT $1, value->>0, value->>1, value->>2, value->>3, value->>4,
                substr($3, value->>5, value->>6)
            FROM json_each($2)",
        postgres: "INSERT INTO thing_block (segment_id, stream, word, part, low, high, body)
            SELECT $1, CAST(value->>0 AS BIGINT), value->>1, CAST(value->>2 AS BIGINT),
                CAST(value->>3 AS BIGINT), CAST(value->>4 AS BIGINT),
                substr(CAST($3 AS BYTEA), CAST(value->>5 AS INTEGER), CAST(value->>6 AS INTEGER))
            FROM jsonb_array_elements(CAST($2 AS jsonb))",
    };
    /// What the segments $1 (JSON list) say stands in another one now.
    REPLACE = {
        sqlite: "UPDATE thing_segment SET replaced_at = $2
            WHERE replaced_at IS NULL AND id IN (SELECT value FROM json_each($1))",
        postgres: "UPDATE thing_segment SET replaced_at = $2 WHERE replaced_at IS NULL
            AND id IN (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// Whose segments nobody reads any more.
    WITH_REPLACED = "SELECT DISTINCT workspace_id FROM thing_segment WHERE replaced_at < $1";
    /// Some segments that nobody reads any more.
    REPLACED = "SELECT id FROM thing_segment WHERE workspace_id = $1 AND replaced_at < $2
        ORDER BY replaced_at, id LIMIT $3";
    /// The blocks of a segment.
    DELETE_BLOCKS = "DELETE FROM thing_block WHERE segment_id = $1";
    /// And the segment.
    DELETE_SEGMENT = "DELETE FROM thing_segment WHERE id = $1";
    /// Every block.
    CLEAR_BLOCKS = "DELETE FROM thing_block";
    /// Every segment.
    CLEAR_SEGMENTS = "DELETE FROM thing_segment";
}

/// Makes the changes to the workspace's index.
pub(crate) async fn change(
    tx: &mut Tx,
    workspace: WorkspaceId,
    changes: &Changes<'_>,
) -> Result<(), StoreError> {
    insert(tx, workspace, &build(changes)).await
}

/// Adds a segment; nothing where it says nothing.
pub(super) async fn insert(tx: &mut Tx, workspace: WorkspaceId, segment: &Segment) -> Result<(), StoreError> {
    let Some((low, high)) = segment.range() else { return Ok(()) };
    let size = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let id: i64 = on!(tx tx, c => query_scalar(INSERT_SEGMENT)
        .bind(workspace.uuid())
        .bind(low)
        .bind(high)
        .bind(size(segment.units))
        .bind(size(segment.dead))
        .bind(size(segment.bytes()))
        .fetch_one(c)
        .await)?;
    let mut rest = segment.blocks.as_slice();
    while !rest.is_empty() {
        let (some, after) = rest.split_at(fitting(rest));
        insert_blocks(tx, id, some).await?;
        rest = after;
    }
    Ok(())
}

/// How many of the blocks one statement takes: at least one.
fn fitting(blocks: &[Block]) -> usize {
    let sizes = blocks.iter().scan(0, |sum, block| {
        *sum += block.body.len();
        Some(*sum)
    });
    sizes.take_while(|size| *size <= STATEMENT_BYTES).count().max(1)
}

async fn insert_blocks(tx: &mut Tx, segment: i64, blocks: &[Block]) -> Result<(), StoreError> {
    let mut bodies = Vec::with_capacity(STATEMENT_BYTES);
    let mut list = Vec::with_capacity(blocks.len());
    for block in blocks {
        let Block { stream, word, part, low, high, body } = block;
        list.push(json!([stream.number(), word, part, low, high, bodies.len() + 1, body.len()]));
        bodies.extend_from_slice(body);
    }
    let (sql, list) = (tx.dialect().text(&INSERT_BLOCKS), json!(list).to_string());
    on!(tx tx, c => query(sql).bind(segment).bind(&list).bind(&bodies).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// What these segments say stands in another one now. Who began to read them before may go on. Answers how
/// many there were that nothing else had replaced.
pub(super) async fn replace(tx: &mut Tx, segments: &[i64], now: Timestamp) -> Result<usize, StoreError> {
    let (sql, list) = (tx.dialect().text(&REPLACE), json!(segments).to_string());
    let replaced: u64 = on!(tx tx, c => query(sql)
        .bind(&list)
        .bind(now.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(usize::try_from(replaced).unwrap_or(usize::MAX))
}

/// The workspaces with segments that were replaced before `before`.
pub(super) async fn with_replaced(db: &Database, before: Timestamp) -> Result<Vec<WorkspaceId>, StoreError> {
    let all: Vec<Uuid> =
        on!(read db, c => query_scalar(WITH_REPLACED).bind(before.as_micros()).fetch_all(c).await)?;
    Ok(all.into_iter().map(WorkspaceId::from_uuid).collect())
}

/// Deletes some of the segments that were replaced before `before`: more of them than a merge replaces, and not
/// so many that others wait long. Answers whether there may be more.
pub(super) async fn delete_replaced(
    tx: &mut Tx,
    workspace: WorkspaceId,
    before: Timestamp,
) -> Result<bool, StoreError> {
    let some: Vec<i64> = on!(tx tx, c => query_scalar(REPLACED)
        .bind(workspace.uuid())
        .bind(before.as_micros())
        .bind(DELETED_AT_ONCE)
        .fetch_all(c)
        .await)?;
    for id in &some {
        for sql in [DELETE_BLOCKS, DELETE_SEGMENT] {
            on!(tx tx, c => query(sql).bind(id).execute(c).await.map(|_| ()))?;
        }
    }
    Ok(i64::try_from(some.len()) == Ok(DELETED_AT_ONCE))
}

/// Empties the index of every workspace.
pub(crate) async fn clear(tx: &mut Tx) -> Result<(), StoreError> {
    for sql in [CLEAR_BLOCKS, CLEAR_SEGMENTS] {
        on!(tx tx, c => query(sql).execute(c).await.map(|_| ()))?;
    }
    Ok(())
}
