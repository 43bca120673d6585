//! Which database it is, for the few statements that must differ: notify, row locks, full-text search.

use crate::PerDialect;

/// The database behind a [`crate::Database`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite in the data folder: one machine.
    Sqlite,
    /// PostgreSQL: many nodes.
    Postgres,
}

impl Dialect {
    /// The text of `query` for this database.
    #[must_use]
    pub const fn text(self, query: &PerDialect) -> &'static str {
        match self {
            Self::Sqlite => query.sqlite,
            Self::Postgres => query.postgres,
        }
    }

    /// The word for it in messages and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}
