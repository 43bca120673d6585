//! Backup and restore: everything of one Stoa in one portable file.
//!
//! A backup is a `tar.gz` of a logical dump, so that one taken on SQLite restores into PostgreSQL and the other
//! way round:
//!
//! | entry | what it is |
//! |---|---|
//! | `manifest.json` | [`Manifest`], the first entry |
//! | `secret.key` | the secret key, only when asked for |
//! | `tables/NAME/PART.jsonl` | the rows of a table, one JSON object a line, in parts of a few MB |
//! | `blobs/KEY` | the bytes |
//!
//! All tables are read in one snapshot. A value is written as the other database can read it: bytes and UUIDs
//! in hexadecimal, flags as 0 and 1, JSON as its text. Left out is what is made anew: the migrations' own
//! lists, leases, the bell, counts of a minute, and what services say they can derive (full-text indexes).

pub mod due;
pub mod read;
pub mod snapshot;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stoa_base::Timestamp;

/// The version of the archive's form.
pub const FORMAT: u32 = 1;
/// The name of the manifest's entry.
pub const MANIFEST: &str = "manifest.json";
/// The name of the secret key's entry.
pub const KEY: &str = "secret.key";
/// What the names of tables' entries begin with.
pub const TABLES: &str = "tables/";
/// What the names of blobs' entries begin with.
pub const BLOBS: &str = "blobs/";

/// What a backup says of itself.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of Stoa that wrote it.
    pub app_version: String,
    /// When it was taken.
    pub created_at: Timestamp,
    /// The database it was taken from: `sqlite` or `postgres`.
    pub dialect: String,
    /// The last migration of each component.
    pub components: BTreeMap<String, i64>,
    /// The public name of the secret key that belongs to the data.
    pub key_id: String,
}

/// What was written or loaded.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Tables that have rows.
    pub tables: u64,
    /// Rows of all tables.
    pub rows: u64,
    /// Blobs.
    pub blobs: u64,
}

impl Counts {
    /// Counts a table with so many rows.
    pub(crate) fn add_table(&mut self, rows: u64) {
        self.rows += rows;
        self.tables += u64::from(rows > 0);
    }
}

/// A backup could not be taken or loaded.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] stoa_store::StoreError),
    /// The blobs failed.
    #[error(transparent)]
    Blobs(#[from] stoa_store::blob::BlobError),
    /// The database refused a statement.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The archive can't be written or read.
    #[error("the archive: {0}")]
    Archive(#[from] std::io::Error),
    /// The manifest is missing or can't be read.
    #[error("the file is no backup of Stoa: {0}")]
    NoBackup(String),
    /// The backup has another form or other tables than this version.
    #[error(
        "the backup was made by Stoa {made_by}, whose {what} differs from this version's: restore it with that version, then upgrade"
    )]
    OtherVersion {
        /// The version that made it.
        made_by: String,
        /// What differs.
        what: String,
    },
    /// The database holds something already.
    #[error(
        "the database is not empty (table {0} has rows): restore into an empty one, or replace everything with --force"
    )]
    NotEmpty(String),
    /// A column has a type that the dump knows nothing of.
    #[error("column {column} of table {table} has the type {kind}, which a backup can't hold")]
    UnknownType {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type, as the database says it.
        kind: String,
    },
    /// The archive has a table that the database has not.
    #[error("the backup has a table {0} that this version does not know")]
    UnknownTable(String),
}
