//! Things: one row a content.

pub(crate) mod merge;
pub(crate) mod presence;

use sqlx::types::Uuid;
use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

pub(crate) use merge::replace;
pub use presence::Departure;
pub(crate) use presence::{delete, gone, lock, long_gone, refer};

use crate::model::{Kind, ResourceId, ThingId};

/// BLAKE3 of a content.
pub type Hash = [u8; 32];

queries! {
    /// A new thing; nothing where the content is catalogued already.
    INSERT = "INSERT INTO thing (id, workspace_id, hash, kind, mime, size, title, text_length, catalogued_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (workspace_id, hash) WHERE hash IS NOT NULL DO NOTHING RETURNING seq";
    /// The thing of a content.
    BY_CONTENT = "SELECT seq FROM thing WHERE workspace_id = $1 AND hash = $2";
    /// What became known of a content once it was read.
    IDENTIFY = "UPDATE thing SET hash = $2, kind = $3, mime = $4, size = $5, title = $6, text_length = $7
        WHERE seq = $1";
    /// What a step found out anew.
    DESCRIBE = "UPDATE thing SET kind = $2, mime = $3, title = $4, text_length = $5 WHERE seq = $1";
    /// By id, or by the id of one that was merged into it.
    BY_ID = "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, catalogued_at, gone_at,
            gone_from, gone_key, superseded_by FROM thing
        WHERE workspace_id = $1 AND (id = $2
            OR seq IN (SELECT thing_seq FROM thing_alias WHERE workspace_id = $1 AND alias_id = $2))";
    /// By seq, in a transaction.
    BY_SEQ = "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, catalogued_at, gone_at,
            gone_from, gone_key, superseded_by FROM thing WHERE seq = $1";
    /// Many by seq.
    BY_SEQS = {
        sqlite: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, catalogued_at,
                gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE seq IN (SELECT value FROM json_each($1))",
        postgres: "SELECT seq, id, workspace_id, hash, kind, mime, size, title, text_length, catalogued_at,
                gone_at, gone_from, gone_key, superseded_by FROM thing
            WHERE seq IN (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
    /// Which of these contents are catalogued ($2: JSON list in hexadecimal).
    KNOWN = {
        sqlite: "SELECT hash FROM thing WHERE workspace_id = $1
            AND hash IN (SELECT unhex(value) FROM json_each($2))",
        postgres: "SELECT hash FROM thing WHERE workspace_id = $1
            AND hash IN (SELECT decode(value, 'hex') FROM jsonb_array_elements_text(CAST($2 AS jsonb)))",
    };
    /// A page of what a resource holds that was not read yet.
    UNREAD = "SELECT t.seq, r.key, r.key_bytes, r.size, r.modified_at FROM thing_reference r
        JOIN thing t ON t.seq = r.thing_seq
        WHERE r.resource_id = $1 AND t.hash IS NULL AND t.seq > $2 ORDER BY t.seq LIMIT $3";
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

/// Adds a thing; `None` where this content is catalogued already.
pub(crate) async fn insert(
    tx: &mut Tx,
    id: ThingId,
    workspace: WorkspaceId,
    hash: Option<&Hash>,
    description: &Description,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    Ok(on!(tx tx, c => query_scalar(INSERT)
        .bind(id.uuid())
        .bind(workspace.uuid())
        .bind(hash.map(|hash| &hash[..]))
        .bind(description.kind.as_str())
        .bind(&description.mime)
        .bind(description.size)
        .bind(&description.title)
        .bind(description.text_length)
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?)
}

/// The thing of this content.
pub(crate) async fn by_content(
    tx: &mut Tx,
    workspace: WorkspaceId,
    hash: &Hash,
) -> Result<Option<i64>, StoreError> {
    Ok(on!(tx tx, c => query_scalar(BY_CONTENT)
        .bind(workspace.uuid())
        .bind(&hash[..])
        .fetch_optional(c)
        .await)?)
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

/// Many things, in no order.
pub(crate) async fn by_seqs(db: &Database, seqs: &[i64]) -> Result<Vec<ThingRow>, StoreError> {
    let list = serde_json::json!(seqs).to_string();
    let sql = db.dialect().text(&BY_SEQS);
    let rows: Vec<Row> = on!(read db, c => query_as(sql).bind(&list).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Row::read).collect())
}

/// Which of these contents are catalogued.
pub(crate) async fn known(
    db: &Database,
    workspace: WorkspaceId,
    hashes: &[Hash],
) -> Result<std::collections::HashSet<Vec<u8>>, StoreError> {
    let list: Vec<String> =
        hashes.iter().map(|hash| blake3::Hash::from(*hash).to_hex().to_string()).collect();
    let list = serde_json::json!(list).to_string();
    let sql = db.dialect().text(&KNOWN);
    let found: Vec<Vec<u8>> =
        on!(read db, c => query_scalar(sql).bind(workspace.uuid()).bind(&list).fetch_all(c).await)?;
    Ok(found.into_iter().collect())
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
    resource: ResourceId,
    after: i64,
    limit: i64,
) -> Result<Vec<Unread>, StoreError> {
    Ok(on!(read db, c => query_as(UNREAD)
        .bind(resource.uuid())
        .bind(after)
        .bind(limit)
        .fetch_all(c)
        .await)?)
}
