//! References: where the copies of things lie.

pub(crate) mod vanished;

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
    /// The reference at a key.
    AT_KEY = "SELECT id, key, thing_seq, unit, size, modified_at, vanished_in FROM thing_reference
        WHERE resource_id = $1 AND key = $2";
    /// A new reference.
    INSERT = "INSERT INTO thing_reference
            (id, workspace_id, resource_id, key, key_bytes, thing_seq, unit, size, modified_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    /// Other content at the key, or the same touched.
    UPDATE = "UPDATE thing_reference
        SET thing_seq = $2, unit = $3, size = $4, modified_at = $5, vanished_in = NULL WHERE id = $1";
    /// Its thing was merged into another.
    REPOINT = "UPDATE thing_reference SET thing_seq = $2, unit = $3 WHERE id = $1";
    /// Gone.
    DELETE = "DELETE FROM thing_reference WHERE id = $1";
    /// Whether a thing has any reference.
    ANY_OF_THING = "SELECT COUNT(*) FROM (SELECT 1 FROM thing_reference WHERE thing_seq = $1 LIMIT 1) found";
    /// All of a thing, with their resources, whatever the reach: for moving them.
    ALL_OF_THING = "SELECT id, resource_id, key FROM thing_reference WHERE thing_seq = $1";
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
    /// Its index unit.
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
    /// Its tenant.
    pub workspace: WorkspaceId,
    /// The resource it lies in.
    pub resource: ResourceId,
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

pub(crate) async fn at_key(
    tx: &mut Tx,
    resource: ResourceId,
    key: &str,
) -> Result<Option<ReferenceRow>, StoreError> {
    let row: Option<Row> =
        on!(tx tx, c => query_as(AT_KEY).bind(resource.uuid()).bind(key).fetch_optional(c).await)?;
    Ok(row.map(ReferenceRow::from))
}

pub(crate) async fn insert(
    tx: &mut Tx,
    id: ReferenceId,
    reference: &NewReference<'_>,
    thing_seq: i64,
    unit: i64,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(id.uuid())
        .bind(reference.workspace.uuid())
        .bind(reference.resource.uuid())
        .bind(reference.key)
        .bind(reference.key_bytes)
        .bind(thing_seq)
        .bind(unit)
        .bind(reference.size)
        .bind(reference.modified_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Points a reference at a thing, as of a listing.
pub(crate) async fn update(
    tx: &mut Tx,
    id: ReferenceId,
    thing_seq: i64,
    unit: i64,
    size: i64,
    modified_at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(UPDATE)
        .bind(id.uuid())
        .bind(thing_seq)
        .bind(unit)
        .bind(size)
        .bind(modified_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
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

pub(crate) async fn delete(tx: &mut Tx, id: ReferenceId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE).bind(id.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Whether anything still refers to the thing.
pub(crate) async fn any_of_thing(tx: &mut Tx, thing_seq: i64) -> Result<bool, StoreError> {
    let found: i64 = on!(tx tx, c => query_scalar(ANY_OF_THING).bind(thing_seq).fetch_one(c).await)?;
    Ok(found > 0)
}

/// All references of a thing: (id, resource, key).
pub(crate) async fn all_of_thing(
    tx: &mut Tx,
    thing_seq: i64,
) -> Result<Vec<(ReferenceId, ResourceId, String)>, StoreError> {
    let rows: Vec<(Uuid, Uuid, String)> =
        on!(tx tx, c => query_as(ALL_OF_THING).bind(thing_seq).fetch_all(c).await)?;
    Ok(rows
        .into_iter()
        .map(|(id, resource, key)| (ReferenceId::from_uuid(id), ResourceId::from_uuid(resource), key))
        .collect())
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
