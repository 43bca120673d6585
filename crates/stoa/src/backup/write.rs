//! Taking a backup.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::TryStreamExt;
use sqlx::AssertSqlSafe;
use sqlx::types::Uuid;
use stoa_base::Ambient;
use stoa_store::blob::Blobs;
use stoa_store::{Database, on};
use tar::{Builder, Header};

use super::snapshot::Connection;
use super::tables;
use super::{BLOBS, BackupError, Counts, FORMAT, KEY, MANIFEST, Manifest, TABLES};

/// Bytes of rows after which a part ends. One row may be longer.
const PART: usize = 4 << 20;
/// Bytes of a blob that are held at a time.
const CHUNK: u64 = 4 << 20;
/// Only the owner may read what was unpacked.
const MODE: u32 = 0o600;

/// What goes into a backup.
#[derive(Debug)]
pub struct Source<'a> {
    /// The database.
    pub db: &'a Database,
    /// The bytes.
    pub blobs: &'a Blobs,
    /// Tables that services make anew after a restore.
    pub derived: &'a [&'a str],
    /// The last migration of each component.
    pub components: BTreeMap<String, i64>,
    /// The secret key's public name.
    pub key_id: String,
    /// The secret key's file, where the backup is to hold it.
    pub key: Option<Vec<u8>>,
}

/// Writes everything to `out`, reading all tables as they are at one instant.
///
/// # Errors
/// [`BackupError`] when the database, the blobs or `out` fail.
pub async fn write(source: &Source<'_>, ambient: &Ambient, out: impl Write) -> Result<Counts, BackupError> {
    let mut connection = Connection::reading(source.db).await?;
    let tables = tables::all(&mut connection, source.derived).await?;
    let mut archive = Archive::new(out, ambient);
    archive.add(
        MANIFEST,
        &serde_json::to_vec_pretty(&manifest(source, ambient)).map_err(std::io::Error::from)?,
    )?;
    if let Some(key) = &source.key {
        archive.add(KEY, key)?;
    }
    let mut counts = Counts::default();
    for table in &tables {
        let dump = table.dump(connection.dialect());
        counts.add_table(add_table(&mut archive, &mut connection, &table.name, dump, None).await?);
    }
    // Rows name blobs that were there before them, so blobs are read after the rows.
    counts.blobs = add_blobs(&mut archive, source.blobs).await?;
    archive.finish()?;
    Ok(counts)
}

fn manifest(source: &Source<'_>, ambient: &Ambient) -> Manifest {
    Manifest {
        format: FORMAT,
        app_version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: ambient.now(),
        dialect: source.db.dialect().name().to_owned(),
        components: source.components.clone(),
        key_id: source.key_id.clone(),
    }
}

/// Adds the rows that `dump` gives, each as one JSON object, where it has a `$1` for this id; gives their number.
pub(crate) async fn add_table<W: Write>(
    archive: &mut Archive<W>,
    connection: &mut Connection,
    table: &str,
    dump: AssertSqlSafe<String>,
    id: Option<Uuid>,
) -> Result<u64, BackupError> {
    let mut parts = Parts { archive, table, number: 0, rows: 0, lines: Vec::new() };
    on!(tx connection, c => {
        let dump = sqlx::query_scalar::<_, String>(dump);
        let dump = match id {
            Some(id) => dump.bind(id),
            None => dump,
        };
        let mut rows = dump.fetch(c);
        while let Some(row) = rows.try_next().await? {
            parts.add(&row)?;
        }
    });
    parts.end()?;
    Ok(parts.rows)
}

/// The rows of one table, gathered until a part is full.
struct Parts<'a, W: Write> {
    archive: &'a mut Archive<W>,
    table: &'a str,
    number: u32,
    rows: u64,
    lines: Vec<u8>,
}

impl<W: Write> Parts<'_, W> {
    fn add(&mut self, row: &str) -> Result<(), BackupError> {
        self.rows += 1;
        self.lines.extend_from_slice(row.as_bytes());
        self.lines.push(b'\n');
        if self.lines.len() >= PART { self.end() } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), BackupError> {
        if !self.lines.is_empty() {
            self.number += 1;
            self.archive.add(&format!("{TABLES}{}/{:06}.jsonl", self.table, self.number), &self.lines)?;
            self.lines.clear();
        }
        Ok(())
    }
}

async fn add_blobs<W: Write>(archive: &mut Archive<W>, blobs: &Blobs) -> Result<u64, BackupError> {
    let mut count = 0;
    let mut keys = blobs.list("").await?;
    while let Some(key) = keys.try_next().await? {
        // A blob that was deleted since it was listed is no part of the backup.
        let Some(size) = blobs.length(&key).await? else { continue };
        let reader = BlobReader { blobs, key: &key, at: 0, size, chunk: Bytes::new() };
        archive.add_from(&format!("{BLOBS}{key}"), size, reader)?;
        count += 1;
    }
    Ok(count)
}

/// A blob as the archive's writer wants it: read in order, a chunk at a time.
struct BlobReader<'a> {
    blobs: &'a Blobs,
    key: &'a str,
    at: u64,
    size: u64,
    chunk: Bytes,
}

impl BlobReader<'_> {
    fn next_chunk(&mut self) -> std::io::Result<()> {
        let end = self.size.min(self.at + CHUNK);
        let fetch = self.blobs.get_range(self.key, self.at..end);
        let handle = tokio::runtime::Handle::current();
        let chunk = tokio::task::block_in_place(|| handle.block_on(fetch)).map_err(std::io::Error::other)?;
        self.chunk = chunk.ok_or_else(|| std::io::Error::other(format!("blob {} went away", self.key)))?;
        self.at = end;
        Ok(())
    }
}

impl Read for BlobReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.chunk.is_empty() && self.at < self.size {
            self.next_chunk()?;
        }
        let length = buffer.len().min(self.chunk.len());
        buffer[..length].copy_from_slice(&self.chunk.split_to(length));
        Ok(length)
    }
}

/// The archive under way.
pub(crate) struct Archive<W: Write> {
    tar: Builder<GzEncoder<W>>,
    /// Seconds since 1970, the age of every entry.
    made: u64,
}

impl<W: Write> Archive<W> {
    /// Begins one.
    pub fn new(out: W, ambient: &Ambient) -> Self {
        let made = u64::try_from(ambient.now().as_millis() / 1_000).unwrap_or(0);
        Self { tar: Builder::new(GzEncoder::new(out, Compression::default())), made }
    }

    /// Adds an entry.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        self.add_from(path, bytes.len() as u64, bytes)
    }

    fn add_from(&mut self, path: &str, size: u64, reader: impl Read) -> std::io::Result<()> {
        let mut header = Header::new_gnu();
        header.set_size(size);
        header.set_mode(MODE);
        header.set_mtime(self.made);
        self.tar.append_data(&mut header, path, reader)
    }

    /// Writes its end.
    pub fn finish(self) -> std::io::Result<()> {
        self.tar.into_inner()?.finish()?.flush()
    }
}
