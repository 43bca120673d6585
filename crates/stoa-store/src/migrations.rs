//! Bringing a database to the shape this version needs.

use std::path::Path;

use sqlx::migrate::Migrator;

use crate::database::Backend;
use crate::{Database, StoreError};

/// The migrations of one crate, in a folder for each database. Each crate keeps its own list in the
/// database, so that a service brings its tables without touching any other crate.
#[derive(Debug)]
pub struct Migrations {
    /// The crate's short name: `store`, `identity`, `things`.
    pub component: &'static str,
    /// What SQLite runs.
    pub sqlite: Migrator,
    /// What PostgreSQL runs.
    pub postgres: Migrator,
}

/// The tables of this crate.
pub static MIGRATIONS: Migrations = Migrations {
    component: "store",
    sqlite: sqlx::migrate!("migrations/sqlite"),
    postgres: sqlx::migrate!("migrations/postgres"),
};

/// Applies what is missing of every component, in the order given.
///
/// Nodes that start together on PostgreSQL wait for one another by an advisory lock; processes that start
/// together on one SQLite file, by a lock on `lock_file`.
///
/// # Errors
/// [`StoreError::Migration`] when a statement fails or an applied migration was edited since;
/// [`StoreError::File`] when the lock file can't be used.
pub async fn apply(db: &Database, components: &[&Migrations], lock_file: &Path) -> Result<(), StoreError> {
    let _lock = match db.backend() {
        Backend::Sqlite { .. } => Some(FileLock::wait(lock_file).await?),
        Backend::Postgres(_) => None,
    };
    for migrations in components {
        let applied = match db.backend() {
            Backend::Sqlite { write, .. } => migrations.migrator(&migrations.sqlite).run(write).await,
            Backend::Postgres(pool) => migrations.migrator(&migrations.postgres).run(pool).await,
        };
        applied.map_err(|source| StoreError::Migration { component: migrations.component, source })?;
    }
    Ok(())
}

impl Migrations {
    /// The same migrations, kept in this component's own list.
    fn migrator(&self, embedded: &Migrator) -> Migrator {
        let mut migrator = Migrator::with_migrations(embedded.iter().cloned().collect());
        migrator.dangerous_set_table_name(format!("_migrations_{}", self.component));
        migrator
    }
}

/// An exclusive lock on a file, held until dropped.
struct FileLock(#[expect(dead_code, reason = "held for its lock, released when dropped")] std::fs::File);

impl FileLock {
    async fn wait(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        let failed = |source| StoreError::File { path: path.display().to_string(), source };
        let for_lock = path.clone();
        let locked = tokio::task::spawn_blocking(move || {
            let file = std::fs::File::create(for_lock)?;
            file.lock()?;
            Ok(file)
        });
        locked.await.map_err(|panic| failed(std::io::Error::other(panic)))?.map(Self).map_err(failed)
    }
}
