//! Things: one row a content.

pub(crate) mod merge;
pub(crate) mod presence;

use std::collections::HashMap;

use serde_json::{Value, json};
use sqlx::types::Uuid;
use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

pub(crate) use merge::replace;
pub use presence::Departure;
pub(crate) use presence::{delete, forget, gone_in, leave, refer, with_long_gone};

use crate::model::{Kind, ResourceId, ThingId};

/// BLAKE3 of a content.
pub type Hash = [u8; 32];

queries! {
    /// New things, of a JSON list ($3).
    INSERT = {
        sqlite: "INSERT INTO thing (workspace_id, catalogued_at, id, hash, kind, mime, size, title,
                text_length, next_unit)
            SELECT $1, $2, unhex(value->>0), unhex(value->>1), value->>2, value->>3, value->>4, value->>5,
                value->>6, value->>7
            FROM json_each($3) WHERE true RETURNING id, seq",
        postgres: "INSERT INTO thing (workspace_id, catalogued_at, id, hash, kind, mime, size, title,
                text_length, next_unit)
            SELECT $1, $2, CAST(value->>0 AS UUID), decode(value->>1, 'hex'), value->>2, value->>3,
                CAST(value->>4 AS BIGINT), value->>5, CAST(value->>6 AS BIGINT), CAST(value->>7 AS BIGINT)
            FROM jsonb_array_elements(CAST($3 AS jsonb)) WITH ORDINALITY list (value, number)
            ORDER BY number RETURNING id, seq",
    };
    /// When the newest thing of a tenant was catalogued.
    NEWEST_INSTANT = "SELECT MAX(catalogued_at) FROM thing WHERE workspace_id = $1";
    /// The first thing that was catalogued at an instant or later.
    FIRST_SINCE = "SELECT seq FROM thing WHERE workspace_id = $1 AND catalogued_at >= $2
        ORDER BY catalogued_at, seq LIMIT 1";
    /// The things of these contents ($2: JSON list in hexadecimal).
    BY_CONTENTS = {
        sqlite: "SELECT hash, seq FROM thing WHERE workspace_id = $1
            AND hash IN (SELECT unhex(value) FROM json_each($2))",
        postgres: "SELECT hash, seq FROM thing WHERE workspace_id = $1
            AND hash IN (SELECT decode(value, 'hex') FROM jsonb_array_elements_text(CAST($2 AS jsonb)))",
    };
    /// What became known of a content once it was read.
    IDENTIFY = "UPDATE thing SET hash = $2, kind = $3, mime = $4, size = $5, title = $6, text_length = $7
        WHERE seq = $1";
    /// What a step found out anew.
    DESCRIBE = "UPDATE thing SET kind = $2, mime = $3, title = $4, text_length = $5 WHERE seq = $1";
    /// The content's unit in the index gives way to another; its number.
    NEXT_TEXT_UNIT = "UPDATE thing SET text_unit = text_unit + 1 WHERE seq = $1 RETURNING text_unit - 1";
    /// By id, or by the id of one that was merged into it.
    BY_ID = "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit, catalogued_at,
            gone_at, gone_from, gone_key, superseded_by FROM thing
        WHERE workspace_id = $1 AND (id = $2
            OR seq IN (SELECT thing_seq FROM thing_alias WHERE workspace_id = $1 AND alias_id = $2))";
    /// By seq, in a transaction.
    BY_SEQ = "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit, catalogued_at,
            gone_at, gone_from, gone_key, superseded_by FROM thing WHERE seq = $1";
    /// A tenant's things after a seq. By seq alone: an index that begins with the tenant would have SQLite sort
    /// all that are left, for each page.
    AFTER = {
        sqlite: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit,
                catalogued_at, gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE +workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        postgres: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit,
                catalogued_at, gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    };
    /// Tenants who have any.
    WORKSPACES = "SELECT DISTINCT workspace_id FROM thing";
    /// Many by seq.
    BY_SEQS = {
        sqlite: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit,
                catalogued_at, gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE seq IN (SELECT value FROM json_each($1))",
        postgres: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, text_unit,
                catalogued_at, gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE seq IN (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// A page of what a resource holds that was not read yet.
    UNREAD = "SELECT t.seq, r.key, r.key_bytes, r.size, r.modified_at FROM thing_reference r
        JOIN thing t ON t.seq = r.thing_seq
        WHERE t.workspace_id = $4 AND r.resource_id = $1 AND t.hash IS NULL AND t.seq > $2
        ORDER BY t.seq LIMIT $3";
}

/// A thing, as stored.
#[derive(Clone, Debug)]
pub struct ThingRow {
    /// Grows with each new thing.
    pub seq: i64,
    /// Its id.
    pub id: ThingId,
    /// Its tenant.
    pub workspace: WorkspaceId,
    /// BLAKE3 of the content; `None` while its bytes were not read.
    pub hash: Option<Vec<u8>>,
    /// What it is.
    pub kind: Kind,
    /// Media type.
    pub mime: String,
    /// Bytes.
    pub size: i64,
    /// The text's own title.
    pub title: Option<String>,
    /// Characters of extracted text.
    pub text_length: Option<i64>,
    /// The number of its content's unit in the index.
    pub text_unit: i64,
    /// When it was first seen.
    pub catalogued_at: Timestamp,
    /// When the last reference went.
    pub gone_at: Option<Timestamp>,
    /// The resource it was in last.
    pub gone_from: Option<ResourceId>,
    /// The key it was at last.
    pub gone_key: Option<String>,
    /// The thing that took its place.
    pub superseded_by: Option<ThingId>,
}

#[derive(FromRow)]
struct Row {
    seq: i64,
    id: Uuid,
    workspace_id: Uuid,
    hash: Option<Vec<u8>>,
    kind: String,
    mime: String,
    size: i64,
    title: Option<String>,
    text_length: Option<i64>,
    text_unit: i64,
    catalogued_at: i64,
    gone_at: Option<i64>,
    gone_from: Option<Uuid>,
    gone_key: Option<String>,
    superseded_by: Option<Uuid>,
}

impl Row {
    fn read(self) -> ThingRow {
        ThingRow {
            seq: self.seq,
            id: ThingId::from_uuid(self.id),
            workspace: WorkspaceId::from_uuid(self.workspace_id),
            hash: self.hash,
            // A later version may know more kinds; beside it this one still shows the thing.
            kind: self.kind.parse().unwrap_or(Kind::Other),
            mime: self.mime,
            size: self.size,
            title: self.title,
            text_length: self.text_length,
            text_unit: self.text_unit,
            catalogued_at: Timestamp::from_micros(self.catalogued_at),
            gone_at: self.gone_at.map(Timestamp::from_micros),
            gone_from: self.gone_from.map(ResourceId::from_uuid),
            gone_key: self.gone_key,
            superseded_by: self.superseded_by.map(ThingId::from_uuid),
        }
    }
}

/// What is known of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it is.
    pub kind: Kind,
    /// Media type.
    pub mime: String,
    /// Bytes.
    pub size: i64,
    /// The text's own title.
    pub title: Option<String>,
    /// Characters of extracted text.
    pub text_length: Option<i64>,
}

/// A thing to be written.
#[derive(Clone, Copy, Debug)]
pub struct NewThing<'a> {
    /// Its id.
    pub id: ThingId,
    /// BLAKE3 of the content; `None` while its bytes were not read.
    pub hash: Option<&'a Hash>,
    /// What is known of it.
    pub description: &'a Description,
    /// How many references it begins with: their units are numbered from 0 on.
    pub references: i64,
}

/// Adds things whose contents are not catalogued yet; answers their seqs by id.
pub(crate) async fn insert(
    tx: &mut Tx,
    workspace: WorkspaceId,
    now: Timestamp,
    things: &[NewThing<'_>],
) -> Result<HashMap<Uuid, i64>, StoreError> {
    if things.is_empty() {
        return Ok(HashMap::new());
    }
    let list = things.iter().map(|NewThing { id, hash, description, references }| {
        let Description { kind, mime, size, title, text_length } = description;
        let (id, hash) = (id.uuid().simple().to_string(), hash.map(hex::encode));
        json!([id, hash, kind.as_str(), mime, size, title, text_length, references])
    });
    let (sql, list) = (tx.dialect().text(&INSERT), list.collect::<Value>().to_string());
    let added: Vec<(Uuid, i64)> = on!(tx tx, c => query_as(sql)
        .bind(workspace.uuid())
        .bind(now.as_micros())
        .bind(&list)
        .fetch_all(c)
        .await)?;
    Ok(added.into_iter().collect())
}

/// The instant at which what is written now was catalogued: the clock may go back, the catalog does not.
pub(crate) async fn instant(
    tx: &mut Tx,
    workspace: WorkspaceId,
    now: Timestamp,
) -> Result<Timestamp, StoreError> {
    let newest: Option<i64> =
        on!(tx tx, c => query_scalar(NEWEST_INSTANT).bind(workspace.uuid()).fetch_one(c).await)?;
    Ok(newest.map_or(now, |newest| now.max(Timestamp::from_micros(newest))))
}

/// The seq of the first thing that was catalogued at this instant or later.
pub(crate) async fn first_since(
    db: &Database,
    workspace: WorkspaceId,
    instant: Timestamp,
) -> Result<Option<i64>, StoreError> {
    Ok(on!(read db, c => query_scalar(FIRST_SINCE)
        .bind(workspace.uuid())
        .bind(instant.as_micros())
        .fetch_optional(c)
        .await)?)
}

/// Those of these contents that are catalogued, with their things.
pub(crate) async fn by_contents(
    tx: &mut Tx,
    workspace: WorkspaceId,
    hashes: &[&Hash],
) -> Result<HashMap<Vec<u8>, i64>, StoreError> {
    let (sql, list) = (tx.dialect().text(&BY_CONTENTS), hex_list(hashes));
    let found: Vec<(Vec<u8>, i64)> =
        on!(tx tx, c => query_as(sql).bind(workspace.uuid()).bind(&list).fetch_all(c).await)?;
    Ok(found.into_iter().collect())
}

/// The same outside of a transaction, where it may be out of date at once.
pub(crate) async fn known(
    db: &Database,
    workspace: WorkspaceId,
    hashes: &[&Hash],
) -> Result<HashMap<Vec<u8>, i64>, StoreError> {
    let (sql, list) = (db.dialect().text(&BY_CONTENTS), hex_list(hashes));
    let found: Vec<(Vec<u8>, i64)> =
        on!(read db, c => query_as(sql).bind(workspace.uuid()).bind(&list).fetch_all(c).await)?;
    Ok(found.into_iter().collect())
}

fn hex_list(hashes: &[&Hash]) -> String {
    hashes.iter().map(hex::encode).collect::<Value>().to_string()
}

/// Writes what reading a content for the first time found out.
pub(crate) async fn identify(
    tx: &mut Tx,
    seq: i64,
    hash: &Hash,
    description: &Description,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(IDENTIFY)
        .bind(seq)
        .bind(&hash[..])
        .bind(description.kind.as_str())
        .bind(&description.mime)
        .bind(description.size)
        .bind(&description.title)
        .bind(description.text_length)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Writes what analyzing a known content again found out.
pub(crate) async fn describe(tx: &mut Tx, seq: i64, description: &Description) -> Result<(), StoreError> {
    on!(tx tx, c => query(DESCRIBE)
        .bind(seq)
        .bind(description.kind.as_str())
        .bind(&description.mime)
        .bind(&description.title)
        .bind(description.text_length)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Gives the content another unit in the index; answers the number of the one it had.
pub(crate) async fn next_text_unit(tx: &mut Tx, seq: i64) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(NEXT_TEXT_UNIT).bind(seq).fetch_one(c).await)?)
}

/// A thing of this workspace by its id, or by that of one merged into it.
pub(crate) async fn by_id(
    db: &Database,
    workspace: WorkspaceId,
    id: ThingId,
) -> Result<Option<ThingRow>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_ID)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .fetch_optional(c)
        .await)?;
    Ok(row.map(Row::read))
}

pub(crate) async fn by_seq(tx: &mut Tx, seq: i64) -> Result<Option<ThingRow>, StoreError> {
    let row: Option<Row> = on!(tx tx, c => query_as(BY_SEQ).bind(seq).fetch_optional(c).await)?;
    Ok(row.map(Row::read))
}

/// Up to `limit` things of the workspace after `after`, by seq.
pub(crate) async fn after(
    db: &Database,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<ThingRow>, StoreError> {
    let sql = db.dialect().text(&AFTER);
    let rows: Vec<Row> = on!(read db, c => query_as(sql)
        .bind(workspace.uuid())
        .bind(after)
        .bind(limit)
        .fetch_all(c)
        .await)?;
    Ok(rows.into_iter().map(Row::read).collect())
}

/// The workspaces that have things.
pub(crate) async fn workspaces(db: &Database) -> Result<Vec<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> = on!(read db, c => query_scalar(WORKSPACES).fetch_all(c).await)?;
    Ok(ids.into_iter().map(WorkspaceId::from_uuid).collect())
}

/// Many things, in no order.
pub(crate) async fn by_seqs(db: &Database, seqs: &[i64]) -> Result<Vec<ThingRow>, StoreError> {
    let list = serde_json::json!(seqs).to_string();
    let sql = db.dialect().text(&BY_SEQS);
    let rows: Vec<Row> = on!(read db, c => query_as(sql).bind(&list).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Row::read).collect())
}

/// A copy of a content whose bytes were not read yet.
#[derive(Clone, Debug, FromRow)]
pub struct Unread {
    /// The provisional thing.
    pub seq: i64,
    /// The locator key.
    pub key: String,
    /// The key's own bytes where they are not UTF-8.
    pub key_bytes: Option<Vec<u8>>,
    /// Bytes, as listed.
    pub size: i64,
    /// When the resource says it was changed, in microseconds.
    pub modified_at: i64,
}

/// A page of what the resource holds and nobody has read yet, by seq.
pub(crate) async fn unread(
    db: &Database,
    workspace: WorkspaceId,
    resource: ResourceId,
    after: i64,
    limit: i64,
) -> Result<Vec<Unread>, StoreError> {
    Ok(on!(read db, c => query_as(UNREAD)
        .bind(resource.uuid())
        .bind(after)
        .bind(limit)
        .bind(workspace.uuid())
        .fetch_all(c)
        .await)?)
}
