//! Opening the database.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::{Dialect, StoreError, Tx, Wakeups, queries};

/// How long a statement waits for another process that is writing to the same SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a caller waits for a free connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections that read from SQLite side by side.
const SQLITE_READERS: u32 = 4;
/// Rows that SQLite's thread reads ahead of whoever takes them. It sleeps once they are read and is woken as they
/// are taken: too few, and the two threads wake each other more than they work.
const SQLITE_ROWS_AHEAD: usize = 512;
/// Connections to PostgreSQL a node may hold.
const POSTGRES_CONNECTIONS: u32 = 16;

queries! {
    /// Does nothing: asks whether the database answers.
    PING = "SELECT 1";
}

/// Where the database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, as the URL that its own tools take.
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            return Ok(Self::Sqlite(PathBuf::from(path.strip_prefix("//").unwrap_or(path))));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(StoreError::UnknownUrl)
    }
}

/// The database of one Stoa: pools, and the bell that tells of changes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Database {
    backend: Backend,
    wakeups: Wakeups,
}

/// The pools. Named by [`crate::on!`]; everything else goes through that macro.
#[derive(Clone, Debug)]
pub enum Backend {
    /// SQLite allows one writer at a time, so the writing pool has one connection: waiting happens in the
    /// pool, in order, and never ends in "database is locked".
    Sqlite {
        /// Read-only connections.
        read: SqlitePool,
        /// The one connection that writes.
        write: SqlitePool,
    },
    /// PostgreSQL.
    Postgres(PgPool),
}

impl Database {
    /// Opens the database, making the SQLite file where there is none. Migrations are not applied:
    /// see [`crate::migrations::apply`].
    ///
    /// # Errors
    /// [`StoreError`] when the file can't be made or the server can't be reached.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let backend = match url {
            DatabaseUrl::Sqlite(path) => open_sqlite(path).await?,
            DatabaseUrl::Postgres(url) => open_postgres(url).await?,
        };
        Ok(Self { backend, wakeups: Wakeups::default() })
    }

    /// Which database it is.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite { .. } => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The pools, for [`crate::on!`].
    #[must_use]
    pub const fn backend(&self) -> &Backend {
        &self.backend
    }

    /// The bell that tells of changes made here, by commands beside us and by other nodes.
    #[must_use]
    pub const fn wakeups(&self) -> &Wakeups {
        &self.wakeups
    }

    /// Begins a writing transaction. Dropped without [`Tx::commit`], it leaves no trace.
    ///
    /// # Errors
    /// [`StoreError::Database`] when no connection came free in time.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        // In a task of its own: a caller that goes away half-way through BEGIN would else leave the connection
        // inside a transaction that nobody knows of, for whoever takes it next.
        let begun = tokio::spawn(begin(self.backend.clone())).await;
        let backend = begun.map_err(|_| sqlx::Error::WorkerCrashed)??;
        Ok(Tx::new(backend, self.wakeups.clone()))
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// [`StoreError::Database`] when it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        crate::on!(read self, c => sqlx::query(PING).execute(c).await.map(|_| ()))?;
        Ok(())
    }

    /// Closes every connection, waiting for statements under way.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite { read, write } => {
                read.close().await;
                write.close().await;
            }
            Backend::Postgres(pool) => pool.close().await,
        }
    }
}

async fn begin(backend: Backend) -> Result<crate::tx::Backend, sqlx::Error> {
    Ok(match backend {
        // IMMEDIATE: a plain BEGIN that reads before it writes fails at once when another process
        // wrote in between, whatever the busy timeout.
        Backend::Sqlite { write, .. } => {
            crate::tx::Backend::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?)
        }
        Backend::Postgres(pool) => crate::tx::Backend::Postgres(pool.begin().await?),
    })
}

async fn open_sqlite(path: &Path) -> Result<Backend, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL: an acknowledged write survives a power cut, not only a killed process.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .row_buffer_size(SQLITE_ROWS_AHEAD)
        .pragma("cache_size", "-16000")
        .pragma("temp_store", "memory");
    // A file does not go away as a server does: no need to ask before each use.
    let pool = SqlitePoolOptions::new().acquire_timeout(ACQUIRE_TIMEOUT).test_before_acquire(false);
    let write = pool.clone().max_connections(1).connect_with(options.clone()).await?;
    let readers = options.create_if_missing(false).read_only(true);
    let read = pool.max_connections(SQLITE_READERS).connect_with(readers).await?;
    Ok(Backend::Sqlite { read, write })
}

async fn open_postgres(url: &str) -> Result<Backend, StoreError> {
    let options = PgConnectOptions::from_str(url)?.application_name("stoa");
    // A pool goes on asking a server that refuses until its time is over; whoever starts Stoa hears it at once.
    PgConnection::connect_with(&options).await?.close().await?;
    let pool = PgPoolOptions::new()
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options)
        .await?;
    Ok(Backend::Postgres(pool))
}
