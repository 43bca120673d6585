//! Linking what was written since.

use serde::Serialize;
use sqlx::types::Json;
use sqlx::{query, query_as, query_scalar};
use stoa_base::WorkspaceId;
use uuid::Uuid;

use super::key::{ChainKey, Link, ROOT};
use super::record::{Record, columns};
use crate::{Database, StoreError, Tx, on, queries};

/// Entries linked in one transaction: few enough that a write hardly waits for it.
const GROUP: i64 = 500;

queries! {
    /// Workspaces with entries to link.
    UNLINKED_WORKSPACES = "SELECT DISTINCT workspace_id FROM audit_entry WHERE chain_position IS NULL";
    /// Begins a chain.
    BEGIN = "INSERT INTO audit_chain
            (workspace_id, position, mac, seal, checkpoint_position, checkpoint_mac, checkpoint_at)
        VALUES ($1, 0, $2, $3, 0, $2, 0) ON CONFLICT (workspace_id) DO NOTHING";
    /// The end of a chain, locked: whoever else would link waits here.
    END = {
        sqlite: "SELECT position, mac FROM audit_chain WHERE workspace_id = $1",
        postgres: "SELECT position, mac FROM audit_chain WHERE workspace_id = $1 FOR UPDATE",
    };
    /// The next entries to link.
    UNLINKED = (concat!("SELECT ", columns!(), " FROM audit_entry
        WHERE workspace_id = $1 AND chain_position IS NULL ORDER BY seq LIMIT $2"));
    /// Gives entries their places.
    PLACE = {
        sqlite: "UPDATE audit_entry SET chain_position = value->>'position', chain_mac = unhex(value->>'mac')
            FROM jsonb_each($1) WHERE seq = value->>'seq'",
        postgres: "UPDATE audit_entry SET chain_position = link.position, chain_mac = decode(link.mac, 'hex')
            FROM jsonb_to_recordset($1) AS link (seq BIGINT, position BIGINT, mac TEXT)
            WHERE audit_entry.seq = link.seq",
    };
    /// Moves the end of a chain.
    MOVE_END = "UPDATE audit_chain SET position = $2, mac = $3, seal = $4 WHERE workspace_id = $1";
}

/// Links every entry that has no place yet and gives their number. Safe beside other nodes that do the same.
///
/// # Errors
/// [`StoreError`] when the database can't be read or written. What was linked stays linked.
pub async fn link(db: &Database, key: &ChainKey) -> Result<usize, StoreError> {
    let workspaces = unlinked_workspaces(db).await?;
    let mut linked = 0;
    for workspace in workspaces {
        linked += link_workspace(db, key, workspace).await?;
    }
    Ok(linked)
}

pub(super) async fn unlinked_workspaces(db: &Database) -> Result<Vec<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> = on!(read db, c => query_scalar(UNLINKED_WORKSPACES).fetch_all(c).await)?;
    Ok(ids.into_iter().map(WorkspaceId::from_uuid).collect())
}

async fn link_workspace(db: &Database, key: &ChainKey, workspace: WorkspaceId) -> Result<usize, StoreError> {
    let mut linked = 0;
    loop {
        match link_group(db, key, workspace).await? {
            0 => return Ok(linked),
            count => linked += count,
        }
    }
}

/// One entry's place, as [`PLACE`] reads it.
#[derive(Serialize)]
struct Placed {
    seq: i64,
    position: i64,
    mac: String,
}

async fn link_group(db: &Database, key: &ChainKey, workspace: WorkspaceId) -> Result<usize, StoreError> {
    let mut tx = db.begin().await?;
    let (mut position, mut mac) = end(&mut tx, key, workspace).await?;
    let mut placed = Vec::new();
    for record in unlinked(&mut tx, workspace).await? {
        position += 1;
        mac = key.link(&mac, position, &record);
        placed.push(Placed { seq: record.seq, position, mac: hex::encode(mac) });
    }
    if !placed.is_empty() {
        place(&mut tx, &placed).await?;
        move_end(&mut tx, key, workspace, position, &mac).await?;
        tx.commit().await?;
    }
    Ok(placed.len())
}

/// The end of the chain, begun where there is none, ours to move until the transaction ends.
async fn end(tx: &mut Tx, key: &ChainKey, workspace: WorkspaceId) -> Result<(i64, Link), StoreError> {
    let seal = key.seal(workspace, 0, &ROOT);
    on!(tx tx, c => query(BEGIN)
        .bind(workspace.uuid())
        .bind(&ROOT[..])
        .bind(&seal[..])
        .execute(c)
        .await
        .map(|_| ()))?;
    let statement = tx.dialect().text(&END);
    let (position, mac): (i64, Vec<u8>) =
        on!(tx tx, c => query_as(statement).bind(workspace.uuid()).fetch_one(c).await)?;
    let mac = mac.try_into().map_err(|found: Vec<u8>| StoreError::Unreadable {
        what: "end of an audit chain",
        detail: hex::encode(found),
    })?;
    Ok((position, mac))
}

async fn unlinked(tx: &mut Tx, workspace: WorkspaceId) -> Result<Vec<Record>, StoreError> {
    let records = on!(tx tx, c => query_as(UNLINKED).bind(workspace.uuid()).bind(GROUP).fetch_all(c).await)?;
    Ok(records)
}

async fn place(tx: &mut Tx, placed: &[Placed]) -> Result<(), StoreError> {
    let statement = tx.dialect().text(&PLACE);
    on!(tx tx, c => query(statement).bind(Json(placed)).execute(c).await.map(|_| ()))?;
    Ok(())
}

async fn move_end(
    tx: &mut Tx,
    key: &ChainKey,
    workspace: WorkspaceId,
    position: i64,
    mac: &Link,
) -> Result<(), StoreError> {
    let seal = key.seal(workspace, position, mac);
    on!(tx tx, c => query(MOVE_END)
        .bind(workspace.uuid())
        .bind(position)
        .bind(&mac[..])
        .bind(&seal[..])
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}
