//! `stoa backup`.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::backup::Counts;
use crate::backup::write::{Source, write};
use crate::commands::Context;
use crate::failure::Failure;
use crate::files::write_private;
use crate::house::{House, end};
use crate::{schema, services};

/// Arguments of `stoa backup`.
#[derive(Debug, Args)]
pub struct Backup {
    /// The file to write [default: stoa-backup-TIME.tar.gz]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Put the secret key into it: whoever has the file can then open what is sealed
    #[arg(long)]
    with_key: bool,
}

#[derive(Debug, Serialize)]
struct Written {
    file: PathBuf,
    #[serde(flatten)]
    counts: Counts,
    with_key: bool,
}

impl Backup {
    /// Writes the backup, beside a running server or without one. The file appears when it is whole.
    ///
    /// # Errors
    /// [`Failure`] says what can't be read or written.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let file = self.out.clone().unwrap_or_else(|| default_name(house));
        let act = house.act(house.default, "backup", json!({ "out": file, "with_key": self.with_key }));
        let counts = end(&act, self.write(house, &file).await).await?;
        context.output.print(&Written { file, counts, with_key: self.with_key })
    }

    async fn write(&self, house: &House, path: &Path) -> Result<Counts, Failure> {
        let key_file = house.config.secret_key_file();
        let key = if self.with_key {
            Some(std::fs::read(&key_file).map_err(Failure::file(key_file))?)
        } else {
            None
        };
        let source = Source {
            db: &house.db,
            blobs: &house.blobs,
            derived: services::DERIVED,
            components: schema::applied(&house.db, services::MIGRATIONS).await?,
            key_id: house.key.id(),
            key,
        };
        write_private(path, async |out| Ok(write(&source, &house.ambient, out).await?)).await
    }
}

fn default_name(house: &House) -> PathBuf {
    let now = house.ambient.now().to_string();
    let second = now.split(['.', 'Z']).next().unwrap_or(&now).replace([':', '-'], "");
    PathBuf::from(format!("stoa-backup-{second}.tar.gz"))
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, counts, .. } = self;
        writeln!(
            f,
            "{}: {} rows of {} tables, {} blobs",
            file.display(),
            counts.rows,
            counts.tables,
            counts.blobs
        )?;
        f.write_str(if self.with_key {
            "It holds the secret key: keep it where nobody else reads it."
        } else {
            "It does not hold the secret key, without which it can't be restored: keep a copy of that elsewhere."
        })
    }
}
