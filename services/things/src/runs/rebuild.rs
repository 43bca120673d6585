//! Making the full-text index anew from what is stored, after a restore: it is not in the backup.

use stoa_base::{Ambient, WorkspaceId};
use stoa_store::{Database, StoreError};

use crate::analysis::index_units;
use crate::store::index::{self, Words};
use crate::store::thing::ThingRow;
use crate::store::{catalog, reference, text, thing};

/// Things, and references, dealt with in one transaction.
const BATCH: i64 = 200;
/// Characters of text after which a transaction takes no further thing: texts can be long.
const BATCH_CHARS: i64 = 4_000_000;

/// Empties the index and fills it from the stored texts and keys. Done again after an interruption, it begins
/// anew.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn rebuild(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    index::clear(&mut tx).await?;
    tx.commit().await?;
    for workspace in thing::workspaces(db).await? {
        let mut last = 0;
        while let Some(seq) = rebuild_contents(db, workspace, last).await? {
            index::settle(db, ambient, workspace).await;
            last = seq;
        }
        let mut last = (0, -1);
        while let Some(place) = rebuild_references(db, workspace, last).await? {
            index::settle(db, ambient, workspace).await;
            last = place;
        }
    }
    Ok(())
}

/// One batch; answers its last thing.
async fn rebuild_contents(
    db: &Database,
    workspace: WorkspaceId,
    after: i64,
) -> Result<Option<i64>, StoreError> {
    let mut batch: Vec<(ThingRow, Vec<Words>)> = Vec::new();
    let mut chars = 0;
    for row in thing::after(db, workspace, after, BATCH).await? {
        chars += row.text_length.unwrap_or(0);
        if chars > BATCH_CHARS && !batch.is_empty() {
            break;
        }
        let body = text::parts(db, row.seq, 0, i64::MAX).await?;
        let words = index_units(row.title.as_deref(), &body);
        batch.push((row, words));
    }
    let mut tx = db.begin().await?;
    catalog::index_contents(&mut tx, workspace, &batch).await?;
    tx.commit().await?;
    Ok(batch.last().map(|(row, _)| row.seq))
}

/// One batch; answers its last thing and unit.
async fn rebuild_references(
    db: &Database,
    workspace: WorkspaceId,
    after: (i64, i64),
) -> Result<Option<(i64, i64)>, StoreError> {
    let batch = reference::after(db, workspace, after, BATCH).await?;
    let mut tx = db.begin().await?;
    catalog::index_references(&mut tx, workspace, &batch).await?;
    tx.commit().await?;
    Ok(batch.last().map(|(_, _, seq, unit)| (*seq, *unit)))
}
