//! Loading a backup.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read;

use bytes::Bytes;
use flate2::read::GzDecoder;
use futures::SinkExt;
use futures::channel::mpsc;
use sqlx::AssertSqlSafe;
use stoa_store::blob::Blobs;
use stoa_store::{Database, Dialect, on};
use tar::{Archive, Entry};

use super::snapshot::Connection;
use super::tables::{self, Table, quoted};
use super::{BLOBS, BackupError, Counts, FORMAT, KEY, MANIFEST, Manifest, TABLES, due};

/// Bytes of a blob that are held at a time.
const CHUNK: u64 = 4 << 20;

/// Where a backup goes.
#[derive(Debug)]
pub struct Target<'a> {
    /// The database, migrated to this version's tables.
    pub db: &'a Database,
    /// The bytes.
    pub blobs: &'a Blobs,
    /// Tables that services make anew afterwards.
    pub derived: &'a [&'a str],
    /// The last migration of each component.
    pub components: &'a BTreeMap<String, i64>,
    /// Whether what is there may be replaced.
    pub replace: bool,
}

/// Reads the manifest and, where the backup holds it, the secret key.
///
/// # Errors
/// [`BackupError::NoBackup`] when the file is something else.
pub fn head(input: impl Read) -> Result<(Manifest, Option<Vec<u8>>), BackupError> {
    let mut archive = Archive::new(GzDecoder::new(input));
    let mut entries = archive.entries().map_err(no_backup)?;
    let mut first = entries.next().ok_or_else(|| no_backup("it is empty"))?.map_err(no_backup)?;
    if name(&first)? != MANIFEST {
        return Err(no_backup("it does not begin with a manifest"));
    }
    let manifest = serde_json::from_slice(&content(&mut first)?).map_err(no_backup)?;
    let key = match entries.next().transpose()? {
        Some(mut second) if name(&second)? == KEY => Some(content(&mut second)?),
        _ => None,
    };
    Ok((manifest, key))
}

/// Loads all rows in one transaction: a failure leaves the database as it was.
///
/// # Errors
/// [`BackupError::OtherVersion`], [`BackupError::NotEmpty`], or what failed.
pub async fn load(target: &Target<'_>, manifest: &Manifest, input: impl Read) -> Result<Counts, BackupError> {
    check(manifest, target.components)?;
    let mut connection = Connection::writing(target.db).await?;
    let constraints = begin_deferring(&mut connection).await?;
    let tables = tables::all(&mut connection, target.derived).await?;
    make_room(&mut connection, &tables, target.replace).await?;
    let counts = load_entries(&mut connection, &tables, target.blobs, input).await?;
    end_deferring(&mut connection, &constraints).await?;
    if connection.dialect() == Dialect::Postgres {
        for statement in tables.iter().flat_map(Table::number_on) {
            execute(&mut connection, statement).await?;
        }
    }
    due::note(&mut connection).await?;
    connection.commit().await?;
    Ok(counts)
}

fn check(manifest: &Manifest, components: &BTreeMap<String, i64>) -> Result<(), BackupError> {
    let differs = |what: String| BackupError::OtherVersion { made_by: manifest.app_version.clone(), what };
    if manifest.format != FORMAT {
        return Err(differs("archive".to_owned()));
    }
    let ours = components.keys().chain(manifest.components.keys());
    let other = ours.into_iter().find(|name| manifest.components.get(*name) != components.get(*name));
    other.map_or(Ok(()), |name| Err(differs(format!("set of tables ({name})"))))
}

async fn make_room(connection: &mut Connection, tables: &[Table], replace: bool) -> Result<(), BackupError> {
    if replace {
        for statement in tables::empty_short_lived() {
            execute(connection, statement).await?;
        }
    }
    for table in tables {
        if replace {
            execute(connection, table.empty()).await?;
        }
        let has_rows = table.has_rows();
        if on!(tx connection, c => sqlx::query_scalar(has_rows).fetch_one(c).await)? {
            return Err(BackupError::NotEmpty(table.name.clone()));
        }
    }
    Ok(())
}

async fn load_entries(
    connection: &mut Connection,
    tables: &[Table],
    blobs: &Blobs,
    input: impl Read,
) -> Result<Counts, BackupError> {
    let mut counts = Counts::default();
    let mut archive = Archive::new(GzDecoder::new(input));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = name(&entry)?;
        if let Some(path) = name.strip_prefix(TABLES) {
            let (table, part) =
                path.split_once('/').ok_or_else(|| no_backup("a table's entry has no part"))?;
            let table = tables.iter().find(|known| known.name == table);
            let table = table.ok_or_else(|| BackupError::UnknownTable(path.to_owned()))?;
            counts.rows += load_part(connection, table, &content(&mut entry)?).await?;
            counts.tables += u64::from(part == "000001.jsonl");
        } else if let Some(key) = name.strip_prefix(BLOBS) {
            put_blob(blobs, key, &mut entry).await?;
            counts.blobs += 1;
        }
    }
    // The checksum over everything comes last, behind what the archive itself needs.
    std::io::copy(&mut archive.into_inner(), &mut std::io::sink())?;
    Ok(counts)
}

/// Adds the rows of one part: lines of JSON, as one array.
async fn load_part(connection: &mut Connection, table: &Table, lines: &[u8]) -> Result<u64, BackupError> {
    let lines = std::str::from_utf8(lines).map_err(no_backup)?;
    let array = format!("[{}]", lines.trim_end().replace('\n', ","));
    let load = table.load(connection.dialect());
    Ok(
        on!(tx connection, c => sqlx::query(load).bind(&array).execute(c).await.map(|done| done.rows_affected()))?,
    )
}

/// The foreign keys of every table: table and constraint.
const FOREIGN_KEYS: &str =
    "SELECT CAST(CAST(conrelid AS regclass) AS TEXT), CAST(conname AS TEXT) FROM pg_constraint
    WHERE contype = 'f' AND NOT condeferrable AND connamespace = CAST(current_schema() AS regnamespace)";

/// Lets foreign keys be checked at the end, so that rows may come in any order. Gives the constraints that were
/// altered for it.
async fn begin_deferring(connection: &mut Connection) -> Result<Vec<String>, BackupError> {
    if connection.dialect() == Dialect::Sqlite {
        execute(connection, AssertSqlSafe("PRAGMA defer_foreign_keys = ON".to_owned())).await?;
        return Ok(Vec::new());
    }
    let keys: Vec<(String, String)> =
        on!(tx connection, c => sqlx::query_as(FOREIGN_KEYS).fetch_all(c).await)?;
    let constraints = keys
        .into_iter()
        .map(|(table, name)| format!("ALTER TABLE {table} ALTER CONSTRAINT {}", quoted(&name)));
    let constraints: Vec<String> = constraints.collect();
    for constraint in &constraints {
        execute(connection, AssertSqlSafe(format!("{constraint} DEFERRABLE INITIALLY DEFERRED"))).await?;
    }
    Ok(constraints)
}

/// Checks what was deferred, and makes the constraints what they were.
async fn end_deferring(connection: &mut Connection, constraints: &[String]) -> Result<(), BackupError> {
    if connection.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    execute(connection, AssertSqlSafe("SET CONSTRAINTS ALL IMMEDIATE".to_owned())).await?;
    for constraint in constraints {
        execute(connection, AssertSqlSafe(format!("{constraint} NOT DEFERRABLE"))).await?;
    }
    Ok(())
}

async fn execute(connection: &mut Connection, statement: AssertSqlSafe<String>) -> Result<(), BackupError> {
    on!(tx connection, c => sqlx::query(statement).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Writes what is left of an entry as a blob, a chunk at a time. The archive can't leave this task, so the chunks
/// are handed over.
async fn put_blob(blobs: &Blobs, key: &str, entry: &mut impl Read) -> Result<(), BackupError> {
    let (mut chunks, source) = mpsc::channel(0);
    let feed = async move {
        while let Some(chunk) = next_chunk(entry).transpose() {
            if chunks.send(chunk).await.is_err() {
                break;
            }
        }
    };
    let (put, ()) = tokio::join!(blobs.put_stream(key, source), feed);
    put?;
    Ok(())
}

fn next_chunk(entry: &mut impl Read) -> std::io::Result<Option<Bytes>> {
    let mut chunk = Vec::new();
    entry.take(CHUNK).read_to_end(&mut chunk)?;
    Ok((!chunk.is_empty()).then(|| chunk.into()))
}

fn name(entry: &Entry<'_, impl Read>) -> Result<String, BackupError> {
    Ok(entry.path()?.to_str().ok_or_else(|| no_backup("an entry's name is no text"))?.to_owned())
}

fn content(entry: &mut Entry<'_, impl Read>) -> Result<Vec<u8>, BackupError> {
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn no_backup(why: impl Display) -> BackupError {
    BackupError::NoBackup(format!("{why}"))
}
