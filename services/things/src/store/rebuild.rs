//! Making the full-text index anew from what is stored, after a restore: it is of the other database's kind
//! there, and not in the backup.

use sqlx::types::Uuid;
use sqlx::{FromRow, query_as};
use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError, Tx, on, queries};

use super::catalog::key_words;
use super::index::{self, UNITS_PER_THING, unit_id};
use super::text;
use crate::analysis::index_units;
use crate::model::ResourceId;

/// The tables that are not backed up, since [`rebuild`] makes them anew.
pub const DERIVED: &[&str] = &["thing_unit", "thing_index"];
/// Things, and references, dealt with in one transaction.
const BATCH: i64 = 200;

queries! {
    /// Things with text, after a seq.
    THINGS = "SELECT seq, workspace_id, title FROM thing WHERE text_length IS NOT NULL AND seq > $1
        ORDER BY seq LIMIT $2";
    /// References, after a unit.
    REFERENCES = "SELECT unit, workspace_id, resource_id, key FROM thing_reference WHERE unit > $1
        ORDER BY unit LIMIT $2";
}

#[derive(FromRow)]
struct WithText {
    seq: i64,
    workspace_id: Uuid,
    title: Option<String>,
}

#[derive(FromRow)]
struct Keyed {
    unit: i64,
    workspace_id: Uuid,
    resource_id: Uuid,
    key: String,
}

/// Empties the index and fills it from the stored texts and keys. Done again after an interruption, it begins
/// anew.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn rebuild(db: &Database) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    index::delete(&mut tx, 0, i64::MAX).await?;
    tx.commit().await?;
    let mut last = 0;
    while let Some(seq) = rebuild_texts(db, last).await? {
        last = seq;
    }
    last = 0;
    while let Some(unit) = rebuild_references(db, last).await? {
        last = unit;
    }
    Ok(())
}

/// One batch; answers its last thing.
async fn rebuild_texts(db: &Database, after: i64) -> Result<Option<i64>, StoreError> {
    let batch: Vec<WithText> =
        on!(read db, c => query_as(THINGS).bind(after).bind(BATCH).fetch_all(c).await)?;
    let mut tx = db.begin().await?;
    for thing in &batch {
        let body = text::parts(db, thing.seq, 0, i64::MAX).await?;
        rebuild_text(&mut tx, thing, &body).await?;
    }
    tx.commit().await?;
    Ok(batch.last().map(|thing| thing.seq))
}

async fn rebuild_text(tx: &mut Tx, thing: &WithText, body: &str) -> Result<(), StoreError> {
    let workspace = WorkspaceId::from_uuid(thing.workspace_id);
    for (number, words) in (0..UNITS_PER_THING).zip(index_units(thing.title.as_deref(), body)) {
        index::insert(tx, workspace, None, unit_id(thing.seq, number), &words).await?;
    }
    Ok(())
}

/// One batch; answers its last unit.
async fn rebuild_references(db: &Database, after: i64) -> Result<Option<i64>, StoreError> {
    let batch: Vec<Keyed> =
        on!(read db, c => query_as(REFERENCES).bind(after).bind(BATCH).fetch_all(c).await)?;
    let mut tx = db.begin().await?;
    for keyed in &batch {
        let workspace = WorkspaceId::from_uuid(keyed.workspace_id);
        let resource = Some(ResourceId::from_uuid(keyed.resource_id));
        index::insert(&mut tx, workspace, resource, keyed.unit, &key_words(&keyed.key)).await?;
    }
    tx.commit().await?;
    Ok(batch.last().map(|keyed| keyed.unit))
}
