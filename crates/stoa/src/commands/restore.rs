//! `stoa restore`.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_store::secret::SecretKey;

use crate::backup::read::{Target, head, load};
use crate::backup::{Counts, Manifest};
use crate::commands::Context;
use crate::failure::Failure;
use crate::files::create_private;
use crate::house::{Ground, House, end};
use crate::serve::node::Node;
use crate::{schema, services};

/// Arguments of `stoa restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The backup
    file: PathBuf,
    /// Replace what is in the database, and the secret key where the backup holds another
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Serialize)]
struct Restored {
    manifest: Manifest,
    #[serde(flatten)]
    counts: Counts,
}

impl Restore {
    /// Loads the backup. No server may use the data folder meanwhile.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way; the database is then as it was.
    pub async fn run(self, context: &Context) -> Result<(), Failure> {
        let config = &context.config;
        let (manifest, key) = head(self.open()?)?;
        let ground = Ground::open(config).await?;
        let _alone = Node::take(&config.data, &context.ambient)?;
        let key_file = config.secret_key_file();
        self.check_key(&key_file, &manifest, key.is_some())?;
        let target = Target {
            db: &ground.db,
            blobs: &ground.blobs,
            derived: services::DERIVED,
            components: &schema::built(services::MIGRATIONS, ground.db.dialect()),
            replace: self.force,
        };
        // A key that can't be written must stop the restore, not follow it.
        let staged =
            key.map(|key| stage_key(&key_file, &key)).transpose().map_err(Failure::file(&key_file))?;
        let counts = load(&target, &manifest, self.open()?).await?;
        if let Some(staged) = staged {
            std::fs::rename(staged, &key_file).map_err(Failure::file(&key_file))?;
        }
        ground.db.close().await;
        self.settle(context).await?;
        context.output.print(&Restored { manifest, counts })
    }

    fn open(&self) -> Result<BufReader<File>, Failure> {
        File::open(&self.file).map(BufReader::new).map_err(Failure::file(&self.file))
    }

    /// Refuses what would leave the data without its key, or lose another.
    fn check_key(&self, path: &Path, manifest: &Manifest, in_backup: bool) -> Result<(), Failure> {
        let at_hand = if path.exists() { Some(SecretKey::load(path)?.id()) } else { None };
        match at_hand {
            Some(id) if id == manifest.key_id => Ok(()),
            _ if !in_backup => Err(Failure::MissingKey(path.to_owned())),
            Some(_) if !self.force => Err(Failure::OtherKey(path.to_owned())),
            _ => Ok(()),
        }
    }

    /// Opens the house on what was loaded: makes anew what is derived, and notes the act.
    async fn settle(&self, context: &Context) -> Result<(), Failure> {
        let house = House::open(&context.config, &context.ambient).await?;
        let act = house.act(house.default, "restore", json!({ "file": self.file, "force": self.force }));
        let outcome = end(&act, services::rebuild_where_due(&house).await).await;
        house.close().await;
        outcome
    }
}

/// Writes the key beside its place and gives where it is.
fn stage_key(path: &Path, key: &[u8]) -> std::io::Result<PathBuf> {
    let partial = path.with_added_extension("partial");
    let mut file = create_private(&partial)?;
    file.write_all(key)?;
    file.sync_all()?;
    Ok(partial)
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { manifest, counts } = self;
        write!(
            f,
            "restored {} rows of {} tables and {} blobs, as they were at {} (Stoa {}, {})",
            counts.rows,
            counts.tables,
            counts.blobs,
            manifest.created_at,
            manifest.app_version,
            manifest.dialect
        )
    }
}
