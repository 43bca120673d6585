//! A writing transaction.

use sqlx::{Postgres, Sqlite, Transaction};

use crate::{Dialect, StoreError, Topic, Wakeups};

/// A writing transaction. Statements run on it through [`crate::on!`]; dropped, it is rolled back.
#[derive(Debug)]
pub struct Tx {
    backend: Backend,
    wakeups: Wakeups,
    topics: Vec<Topic>,
}

/// The transaction of either database. Named by [`crate::on!`].
#[derive(Debug)]
pub enum Backend {
    /// The one writer of SQLite.
    Sqlite(Transaction<'static, Sqlite>),
    /// A connection to PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    pub(crate) const fn new(backend: Backend, wakeups: Wakeups) -> Self {
        Self { backend, wakeups, topics: Vec::new() }
    }

    /// Which database it is.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The connection, for [`crate::on!`].
    pub const fn backend(&mut self) -> &mut Backend {
        &mut self.backend
    }

    /// Rings `topic` once this transaction is committed, here and on every other node.
    pub fn wake(&mut self, topic: Topic) {
        if !self.topics.contains(&topic) {
            self.topics.push(topic);
        }
    }

    /// Makes everything done in this transaction durable, then rings its topics.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database refused; nothing was written then.
    pub async fn commit(self) -> Result<(), StoreError> {
        // In a task of its own: where a caller goes away half-way, what was written is told all the same, and the
        // connection is not left with a ROLLBACK of what is over.
        let committed = tokio::spawn(self.commit_now()).await;
        committed.map_err(|_| sqlx::Error::WorkerCrashed)?
    }

    async fn commit_now(mut self) -> Result<(), StoreError> {
        let topics = std::mem::take(&mut self.topics);
        if self.dialect() == Dialect::Sqlite {
            crate::wake::count(&mut self, &topics).await?;
        }
        match self.backend {
            Backend::Sqlite(transaction) => transaction.commit().await?,
            Backend::Postgres(transaction) => transaction.commit().await?,
        }
        self.wakeups.ring(&topics);
        Ok(())
    }

    /// Undoes everything done in this transaction, now rather than at the drop.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database could not be told.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self.backend {
            Backend::Sqlite(transaction) => transaction.rollback().await?,
            Backend::Postgres(transaction) => transaction.rollback().await?,
        }
        Ok(())
    }
}
