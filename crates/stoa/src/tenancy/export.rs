//! All that a workspace has, in one file to take away.
//!
//! The form is that of a backup (`tables/NAME/PART.jsonl` in a `tar.gz`), so that it reads the same whichever database
//! it comes from; its manifest is another, and `stoa restore` refuses it: without tokens and keys it is no server.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};

use serde::Serialize;
use stoa_base::{Ambient, Timestamp};
use stoa_identity::Workspace;
use stoa_store::Database;
use tokio::sync::OwnedSemaphorePermit;

use super::estate::{Exported, PARTS, PEOPLE, Part};
use crate::backup::snapshot::Connection;
use crate::backup::write::{Archive, add_table};
use crate::backup::{BackupError, Counts, FORMAT, MANIFEST, tables};

/// What an export says of itself.
#[derive(Debug, Serialize)]
struct Manifest<'a> {
    format: u32,
    app_version: &'static str,
    created_at: Timestamp,
    workspace: &'a Workspace,
}

/// Writes all that leaves the house of this workspace to `out`, as it is at one instant.
///
/// # Errors
/// [`BackupError`] when the database or `out` fail.
pub async fn write(
    db: &Database,
    ambient: &Ambient,
    workspace: &Workspace,
    out: impl Write,
) -> Result<Counts, BackupError> {
    let mut connection = Connection::reading(db).await?;
    let known = tables::all(&mut connection, &[]).await?;
    let mut archive = Archive::new(out, ambient);
    let manifest = Manifest {
        format: FORMAT,
        app_version: env!("CARGO_PKG_VERSION"),
        created_at: ambient.now(),
        workspace,
    };
    archive.add(MANIFEST, &serde_json::to_vec_pretty(&manifest).map_err(std::io::Error::from)?)?;
    let mut counts = Counts::default();
    for Part { table, rows, exported } in PARTS.iter().chain([&PEOPLE]) {
        let Exported::Without(columns) = exported else { continue };
        let found = known.iter().find(|known| known.name == *table);
        let found = found.ok_or_else(|| BackupError::UnknownTable((*table).to_owned()))?;
        let dump = found.without(columns).dump_where(connection.dialect(), rows);
        let id = Some(workspace.id.uuid());
        counts.add_table(add_table(&mut archive, &mut connection, table, dump, id).await?);
    }
    archive.finish()?;
    Ok(counts)
}

/// Writes the export into this file in its turn, beside everything else that the process does, and gives it back at its beginning.
///
/// # Errors
/// As [`write`].
pub async fn into_file(
    db: &Database,
    ambient: &Ambient,
    workspace: &Workspace,
    mut file: File,
    turn: OwnedSemaphorePermit,
) -> Result<File, BackupError> {
    let (db, ambient, workspace) = (db.clone(), ambient.clone(), workspace.clone());
    let runtime = tokio::runtime::Handle::current();
    // To compress takes long, and must not keep a thread from requests.
    let written = tokio::task::spawn_blocking(move || {
        runtime.block_on(write(&db, &ambient, &workspace, BufWriter::new(&file)))?;
        file.rewind()?;
        // Who asked may be gone by now: the next begins when this one has ended.
        drop(turn);
        Ok(file)
    });
    written.await.map_err(|stopped| BackupError::Archive(std::io::Error::other(stopped)))?
}
