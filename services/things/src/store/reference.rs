//! References: where the copies of things lie.

pub(crate) mod vanished;

use std::collections::HashMap;

use serde_json::{Value, json};
use sqlx::types::Uuid;
use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

pub(crate) use vanished::{clear_old_marks, clear_vanished, mark_vanished, vanished};

use crate::model::{Reach, ReferenceId, ResourceId};

queries! {
    /// A page of a resource's references by key, for the comparison with its listing.
    PAGE = "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
        WHERE resource_id = $1 AND key > $2 ORDER BY key LIMIT $3";
    /// The references at these keys ($2: JSON list).
    AT_KEYS = {
        sqlite: "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
            WHERE resource_id = $1 AND key IN (SELECT value FROM json_each($2))",
        postgres: "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
            WHERE resource_id = $1 AND key IN (SELECT jsonb_array_elements_text(CAST($2 AS jsonb)))",
    };
    /// New references, of a JSON list ($3).
    INSERT = {
        sqlite: "INSERT INTO thing_reference (workspace_id, resource_id, id, key, key_bytes, thing_seq, unit,
                size, modified_at)
            SELECT $1, $2, unhex(value->>0), value->>1, unhex(value->>2), value->>3, value->>4, value->>5,
                value->>6
            FROM json_each($3)",
        postgres: "INSERT INTO thing_reference (workspace_id, resource_id, id, key, key_bytes, thing_seq, unit,
                size, modified_at)
            SELECT $1, $2, CAST(value->>0 AS UUID), value->>1, decode(value->>2, 'hex'),
                CAST(value->>3 AS BIGINT), CAST(value->>4 AS BIGINT), CAST(value->>5 AS BIGINT),
                CAST(value->>6 AS BIGINT)
            FROM jsonb_array_elements(CAST($3 AS jsonb))",
    };
    /// Other content at their keys, or the same touched ($1: JSON list).
    UPDATE = {
        sqlite: "UPDATE thing_reference SET thing_seq = new.value->>1, unit = new.value->>2,
                size = new.value->>3, modified_at = new.value->>4, vanished_in = NULL
            FROM json_each($1) AS new WHERE thing_reference.id = unhex(new.value->>0)",
        postgres: "UPDATE thing_reference SET thing_seq = new.seq, unit = new.unit, size = new.size,
                modified_at = new.modified_at, vanished_in = NULL
            FROM (SELECT CAST(value->>0 AS UUID) AS id, CAST(value->>1 AS BIGINT) AS seq,
                    CAST(value->>2 AS BIGINT) AS unit, CAST(value->>3 AS BIGINT) AS size,
                    CAST(value->>4 AS BIGINT) AS modified_at
                FROM jsonb_array_elements(CAST($1 AS jsonb))) new
            WHERE thing_reference.id = new.id",
    };
    /// Its thing was merged into another.
    REPOINT = "UPDATE thing_reference SET thing_seq = $2, unit = $3 WHERE id = $1";
    /// Gone ($1: JSON list of ids).
    DELETE = {
        sqlite: "DELETE FROM thing_reference WHERE id IN (SELECT unhex(value) FROM json_each($1))",
        postgres: "DELETE FROM thing_reference
            WHERE id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// A tenant's, by thing and unit, after one of them.
    AFTER = "SELECT resource_id, key, thing_seq, unit FROM thing_reference
        WHERE workspace_id = $1 AND (thing_seq, unit) > ($2, $3)
        ORDER BY thing_seq, unit LIMIT $4";
    /// All of a thing, with their resources, whatever the reach: for moving them.
    ALL_OF_THING = "SELECT id, resource_id, key, unit FROM thing_reference WHERE thing_seq = $1";
    /// The first $3 of each of many things ($1: JSON list of seqs) that lie within the reach ($2: JSON list of
    /// hexadecimal ids, NULL is everything), and how many there are.
    OF_THINGS = {
        sqlite: "SELECT thing_seq, resource_id, key, key_bytes, size, modified_at, total FROM (
                SELECT thing_seq, resource_id, key, key_bytes, size, modified_at,
                    ROW_NUMBER() OVER (PARTITION BY thing_seq ORDER BY resource_id, key) AS number,
                    COUNT(*) OVER (PARTITION BY thing_seq) AS total
                FROM thing_reference
                WHERE thing_seq IN (SELECT value FROM json_each($1)) AND (CAST($2 AS TEXT) IS NULL
                    OR lower(hex(resource_id)) IN (SELECT value FROM json_each($2)))
            ) numbered WHERE number <= $3 ORDER BY thing_seq, number",
        postgres: "SELECT thing_seq, resource_id, key, key_bytes, size, modified_at, total FROM (
                SELECT thing_seq, resource_id, key, key_bytes, size, modified_at,
                    ROW_NUMBER() OVER (PARTITION BY thing_seq ORDER BY resource_id, key) AS number,
                    COUNT(*) OVER (PARTITION BY thing_seq) AS total
                FROM thing_reference
                WHERE thing_seq IN (SELECT CAST(value AS BIGINT)
                        FROM jsonb_array_elements_text(CAST($1 AS jsonb)))
                    AND (CAST($2 AS TEXT) IS NULL OR replace(CAST(resource_id AS TEXT), '-', '')
                        IN (SELECT jsonb_array_elements_text(CAST($2 AS jsonb))))
            ) numbered WHERE number <= $3 ORDER BY thing_seq, number",
    };
    /// How many of a thing lie within the reach.
    COUNT_OF_THING = {
        sqlite: "SELECT COUNT(*) FROM thing_reference WHERE thing_seq = $1 AND (CAST($2 AS TEXT) IS NULL
            OR lower(hex(resource_id)) IN (SELECT value FROM json_each($2)))",
        postgres: "SELECT COUNT(*) FROM thing_reference WHERE thing_seq = $1 AND (CAST($2 AS TEXT) IS NULL
            OR replace(CAST(resource_id AS TEXT), '-', '')
                IN (SELECT jsonb_array_elements_text(CAST($2 AS jsonb))))",
    };
}

/// A reference as a sync compares it.
#[derive(Clone, Debug)]
pub struct ReferenceRow {
    /// Its id.
    pub id: ReferenceId,
    /// The locator key.
    pub key: String,
    /// The thing whose content lies here.
    pub thing_seq: i64,
    /// The number of its unit in the index.
    pub unit: i64,
    /// Bytes.
    pub size: i64,
    /// When the resource says it was changed.
    pub modified_at: Timestamp,
    /// The sync that missed it.
    pub vanished_in: Option<Uuid>,
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    key: String,
    thing_seq: i64,
    unit: i64,
    size: i64,
    modified_at: i64,
    vanished_in: Option<Uuid>,
}

impl From<Row> for ReferenceRow {
    fn from(row: Row) -> Self {
        Self {
            id: ReferenceId::from_uuid(row.id),
            key: row.key,
            thing_seq: row.thing_seq,
            unit: row.unit,
            size: row.size,
            modified_at: Timestamp::from_micros(row.modified_at),
            vanished_in: row.vanished_in,
        }
    }
}

/// A reference as it is shown.
#[derive(Clone, Debug, FromRow)]
pub struct ShownReference {
    /// The thing.
    pub thing_seq: i64,
    /// The resource.
    pub resource_id: Uuid,
    /// The locator key.
    pub key: String,
    /// The key's own bytes where they are not UTF-8.
    pub key_bytes: Option<Vec<u8>>,
    /// Bytes.
    pub size: i64,
    /// When the resource says it was changed, in microseconds.
    pub modified_at: i64,
    /// How many references the thing has within the reach.
    pub total: i64,
}

/// A reference to be written.
#[derive(Clone, Debug)]
pub struct NewReference<'a> {
    /// The locator key.
    pub key: &'a str,
    /// The key's own bytes where they are not UTF-8.
    pub key_bytes: Option<&'a [u8]>,
    /// Bytes.
    pub size: i64,
    /// When the resource says it was changed.
    pub modified_at: Timestamp,
}

pub(crate) async fn page(
    db: &Database,
    resource: ResourceId,
    after: &str,
    limit: i64,
) -> Result<Vec<ReferenceRow>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(PAGE)
        .bind(resource.uuid())
        .bind(after)
        .bind(limit)
        .fetch_all(c)
        .await)?;
    Ok(rows.into_iter().map(ReferenceRow::from).collect())
}

/// The references at these keys, by key.
pub(crate) async fn at_keys(
    tx: &mut Tx,
    resource: ResourceId,
    keys: &[&str],
) -> Result<HashMap<String, ReferenceRow>, StoreError> {
    let (sql, list) = (tx.dialect().text(&AT_KEYS), json!(keys).to_string());
    let rows: Vec<Row> = on!(tx tx, c => query_as(sql).bind(resource.uuid()).bind(&list).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.key.clone(), ReferenceRow::from(row))).collect())
}

/// A reference with the thing it is of.
#[derive(Clone, Copy, Debug)]
pub struct Pointed<'a> {
    /// Its id.
    pub id: ReferenceId,
    /// What is known of it.
    pub reference: &'a NewReference<'a>,
    /// The thing.
    pub seq: i64,
    /// The number of its unit in the index.
    pub unit: i64,
}

/// Adds references of one resource.
pub(crate) async fn insert(
    tx: &mut Tx,
    workspace: WorkspaceId,
    resource: ResourceId,
    references: &[Pointed<'_>],
) -> Result<(), StoreError> {
    if references.is_empty() {
        return Ok(());
    }
    let list = references.iter().map(|Pointed { id, reference, seq, unit }| {
        let NewReference { key, key_bytes, size, modified_at } = reference;
        let id = id.uuid().simple().to_string();
        json!([id, key, key_bytes.map(hex::encode), seq, unit, size, modified_at.as_micros()])
    });
    let (sql, list) = (tx.dialect().text(&INSERT), list.collect::<Value>().to_string());
    on!(tx tx, c => query(sql)
        .bind(workspace.uuid())
        .bind(resource.uuid())
        .bind(&list)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Points references at things, as of a listing.
pub(crate) async fn update(tx: &mut Tx, references: &[Pointed<'_>]) -> Result<(), StoreError> {
    if references.is_empty() {
        return Ok(());
    }
    let list = references.iter().map(|Pointed { id, reference, seq, unit }| {
        let id = id.uuid().simple().to_string();
        json!([id, seq, unit, reference.size, reference.modified_at.as_micros()])
    });
    let (sql, list) = (tx.dialect().text(&UPDATE), list.collect::<Value>().to_string());
    on!(tx tx, c => query(sql).bind(&list).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Points a reference at the thing that its own was merged into.
pub(crate) async fn repoint(
    tx: &mut Tx,
    id: ReferenceId,
    thing_seq: i64,
    unit: i64,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(REPOINT).bind(id.uuid()).bind(thing_seq).bind(unit).execute(c).await.map(|_| ()))?;
    Ok(())
}

pub(crate) async fn delete(tx: &mut Tx, ids: &[ReferenceId]) -> Result<(), StoreError> {
    let list = ids.iter().map(|id| id.uuid().simple().to_string()).collect::<Value>().to_string();
    let sql = tx.dialect().text(&DELETE);
    on!(tx tx, c => query(sql).bind(&list).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Up to `limit` of the workspace's references after one, by thing and unit: (resource, key, thing, unit).
pub(crate) async fn after(
    db: &Database,
    workspace: WorkspaceId,
    (seq, unit): (i64, i64),
    limit: i64,
) -> Result<Vec<(ResourceId, String, i64, i64)>, StoreError> {
    let rows: Vec<(Uuid, String, i64, i64)> = on!(read db, c => query_as(AFTER)
        .bind(workspace.uuid())
        .bind(seq)
        .bind(unit)
        .bind(limit)
        .fetch_all(c)
        .await)?;
    let id = ResourceId::from_uuid;
    Ok(rows.into_iter().map(|(resource, key, seq, unit)| (id(resource), key, seq, unit)).collect())
}

/// A reference that is moved to another thing.
#[derive(Clone, Debug)]
pub struct Movable {
    /// Its id.
    pub id: ReferenceId,
    /// The resource it lies in.
    pub resource: ResourceId,
    /// The locator key.
    pub key: String,
    /// The number of its unit in the index.
    pub unit: i64,
}

/// All references of a thing.
pub(crate) async fn all_of_thing(tx: &mut Tx, thing_seq: i64) -> Result<Vec<Movable>, StoreError> {
    let rows: Vec<(Uuid, Uuid, String, i64)> =
        on!(tx tx, c => query_as(ALL_OF_THING).bind(thing_seq).fetch_all(c).await)?;
    let movable = rows.into_iter().map(|(id, resource, key, unit)| Movable {
        id: ReferenceId::from_uuid(id),
        resource: ResourceId::from_uuid(resource),
        key,
        unit,
    });
    Ok(movable.collect())
}

/// Up to `each` references of each of these things that lie within the reach.
pub(crate) async fn of_things(
    db: &Database,
    seqs: &[i64],
    reach: &Reach,
    each: i64,
) -> Result<Vec<ShownReference>, StoreError> {
    let list = serde_json::json!(seqs).to_string();
    let sql = db.dialect().text(&OF_THINGS);
    Ok(on!(read db, c => query_as(sql)
        .bind(&list)
        .bind(reach.as_json())
        .bind(each)
        .fetch_all(c)
        .await)?)
}

/// How many references of a thing lie within the reach.
pub(crate) async fn count_of_thing(db: &Database, thing_seq: i64, reach: &Reach) -> Result<i64, StoreError> {
    let sql = db.dialect().text(&COUNT_OF_THING);
    Ok(on!(read db, c => query_scalar(sql).bind(thing_seq).bind(reach.as_json()).fetch_one(c).await)?)
}
