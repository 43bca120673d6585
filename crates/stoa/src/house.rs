//! The house: what every command stands on, opened in its order.
//!
//! [`Ground`] is the data folder with database and blobs, which `restore` fills; [`House`] adds the secret key,
//! the workspace `default` and the audit.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use stoa_base::{Ambient, WorkspaceId};
use stoa_documents::Pool;
use stoa_identity::{Workspace, WorkspaceName, workspaces};
use stoa_store::audit::chain::ChainKey;
use stoa_store::audit::{Act, Audit, Opening, Status};
use stoa_store::blob::Blobs;
use stoa_store::secret::{Purpose, SecretKey, check_sentinel};
use stoa_store::{Database, StoreError, migrations};

use crate::config::Config;
use crate::failure::Failure;
use crate::{documents, schema, services};

/// The data folder is its owner's alone.
const FOLDER_MODE: u32 = 0o700;

/// Database and blobs.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The database, migrated to what this build needs.
    pub db: Database,
    /// The bytes.
    pub blobs: Blobs,
}

impl Ground {
    /// Opens database and blobs, making the data folder and what is missing in it.
    ///
    /// # Errors
    /// [`Failure`] says which part can't be opened.
    pub async fn open(config: &Config) -> Result<Self, Failure> {
        make_folder(&config.data)?;
        let db = Database::open(&config.database()?).await?;
        migrate(&db, &config.data.join("migrations.lock")).await?;
        Ok(Self { db, blobs: open_blobs(config)? })
    }
}

/// The bytes, in the bucket or the data folder.
///
/// # Errors
/// [`Failure::Blobs`] when the folder can't be made or the bucket's configuration makes no sense.
pub fn open_blobs(config: &Config) -> Result<Blobs, Failure> {
    Ok(match config.blobs.s3() {
        Some(bucket) => Blobs::s3(&bucket)?,
        None => Blobs::folder(&config.data.join("blobs"))?,
    })
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder).map_err(Failure::file(folder))
}

/// Applies the migrations that are missing, if any are: commands beside a server mostly find none.
async fn migrate(db: &Database, lock: &Path) -> Result<(), Failure> {
    let needed = schema::built(services::MIGRATIONS, db.dialect());
    // A database that was never migrated has not even the lists.
    let applied = schema::applied(db, services::MIGRATIONS).await.unwrap_or_default();
    if let Some((component, _)) = applied.iter().find(|(name, version)| needed.get(*name) < Some(version)) {
        return Err(Failure::NewerDatabase(component.clone()));
    }
    if applied != needed {
        migrations::apply(db, services::MIGRATIONS, lock).await?;
    }
    Ok(())
}

/// The house.
#[derive(Clone, Debug)]
pub struct House {
    /// How it is configured.
    pub config: Config,
    /// Time and chance.
    pub ambient: Ambient,
    /// The database.
    pub db: Database,
    /// The bytes.
    pub blobs: Blobs,
    /// The secret key.
    pub key: Arc<SecretKey>,
    /// Who reads documents.
    pub documents: Pool,
    /// Where acts are opened.
    pub audit: Audit,
    /// The workspace `default`: also where acts are noted that concern the whole house.
    pub default: WorkspaceId,
}

impl House {
    /// Opens everything. On an empty data folder this makes the secret key and the workspace `default`.
    ///
    /// # Errors
    /// [`Failure`] says which part can't be opened.
    pub async fn open(config: &Config, ambient: &Ambient) -> Result<Self, Failure> {
        let Ground { db, blobs } = Ground::open(config).await?;
        let key = SecretKey::load_or_create(&config.secret_key_file(), ambient)?;
        check_sentinel(&db, &key, ambient).await?;
        let default = workspaces::ensure_default(&db, ambient).await?.id;
        let audit = Audit::start(db.clone(), ambient.clone());
        Ok(Self {
            config: config.clone(),
            ambient: ambient.clone(),
            db,
            blobs,
            key: Arc::new(key),
            documents: documents::pool(ambient.clone()),
            audit,
            default,
        })
    }

    /// The key of the audit's chains.
    #[must_use]
    pub fn chain_key(&self) -> ChainKey {
        ChainKey::new(self.key.sub_key(Purpose::Audit))
    }

    /// The workspace with this name; without a name, `default`.
    ///
    /// # Errors
    /// [`Failure::UnknownWorkspace`].
    pub async fn workspace(&self, name: Option<&WorkspaceName>) -> Result<Workspace, Failure> {
        let name = name.cloned().unwrap_or_else(WorkspaceName::of_default);
        workspaces::by_name(&self.db, &name).await?.ok_or(Failure::UnknownWorkspace(name))
    }

    /// Opens the act of a command. `arguments` hold no secret and no free text.
    #[must_use]
    pub fn act(&self, workspace: WorkspaceId, command: &str, arguments: Value) -> Act {
        self.audit.open(Opening::local(workspace, command, arguments))
    }

    /// Writes what is still to be noted and closes the database.
    pub async fn close(self) {
        self.audit.stop().await;
        self.db.close().await;
    }
}

/// Ends a command's act as the command ended. After a commit that is a matter of form.
///
/// # Errors
/// The command's own failure, or that the entry could not be written.
pub async fn end<T, E: Into<Failure>>(act: &Act, outcome: Result<T, E>) -> Result<T, Failure> {
    let (status, code) = if outcome.is_ok() { (Status::Ok, None) } else { (Status::Error, Some("failed")) };
    let noted: Result<(), StoreError> = act.close(status, code).await;
    let value = outcome.map_err(Into::into)?;
    noted?;
    Ok(value)
}
