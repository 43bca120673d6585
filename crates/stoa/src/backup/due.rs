//! Whether what is derived from other tables is still to be made anew: noted with the rows that a restore loads,
//! so that a restore that was killed before its end leaves no server that searches an empty index.

use stoa_store::{Database, StoreError, on};

use super::snapshot::Connection;

/// Its name among the values of the whole installation.
const NAME: &str = "derived_tables_due";
/// Notes it.
const NOTE: &str = "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
/// Whether it is noted.
const FIND: &str = "SELECT COUNT(*) FROM meta WHERE name = $1";
/// It is done.
const CLEAR: &str = "DELETE FROM meta WHERE name = $1";

/// Notes it beside the rows that are being loaded.
///
/// # Errors
/// What the database says.
pub(super) async fn note(connection: &mut Connection) -> Result<(), sqlx::Error> {
    on!(tx connection, c => sqlx::query(NOTE).bind(NAME).bind([1_u8].as_slice()).execute(c).await.map(|_| ()))
}

/// Whether it is noted.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn is_due(db: &Database) -> Result<bool, StoreError> {
    let noted: i64 = on!(read db, c => sqlx::query_scalar(FIND).bind(NAME).fetch_one(c).await)?;
    Ok(noted > 0)
}

/// Forgets it: all is made.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn clear(db: &Database) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    on!(tx tx, c => sqlx::query(CLEAR).bind(NAME).execute(c).await.map(|_| ()))?;
    tx.commit().await
}
