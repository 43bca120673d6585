//! A transaction of the backup's own: the whole database as it was at one instant.

use stoa_store::tx::Backend;
use stoa_store::{Database, Dialect, StoreError};

/// A connection inside a transaction, for [`stoa_store::on!`].
#[derive(Debug)]
pub struct Connection(Backend);

impl Connection {
    /// Begins to read: nobody's writes wait for it, and none of them is seen.
    ///
    /// # Errors
    /// [`StoreError::Database`] when no connection came free in time.
    pub async fn reading(db: &Database) -> Result<Self, StoreError> {
        Ok(Self(match db.backend() {
            stoa_store::database::Backend::Sqlite { read, .. } => Backend::Sqlite(read.begin().await?),
            stoa_store::database::Backend::Postgres(pool) => {
                Backend::Postgres(pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?)
            }
        }))
    }

    /// Begins to replace everything.
    ///
    /// # Errors
    /// [`StoreError::Database`] when no connection came free in time.
    pub async fn writing(db: &Database) -> Result<Self, StoreError> {
        Ok(Self(match db.backend() {
            stoa_store::database::Backend::Sqlite { write, .. } => {
                Backend::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?)
            }
            stoa_store::database::Backend::Postgres(pool) => Backend::Postgres(pool.begin().await?),
        }))
    }

    /// Which database it is.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self.0 {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The connection, for [`stoa_store::on!`].
    pub const fn backend(&mut self) -> &mut Backend {
        &mut self.0
    }

    /// Makes what was written durable.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database refused; nothing was written then.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self.0 {
            Backend::Sqlite(transaction) => transaction.commit().await?,
            Backend::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }
}
