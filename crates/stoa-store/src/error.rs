//! What can go wrong below the operations.

/// The store could not do what was asked. Never the caller's fault: a look-up that finds nothing is
/// `Ok(None)`, not an error.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused a statement or could not be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A migration could not be applied.
    #[error("migration of {component}: {source}")]
    Migration {
        /// The crate whose migration it is.
        component: &'static str,
        /// What went wrong.
        source: sqlx::migrate::MigrateError,
    },
    /// A file or folder of the data folder could not be used.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The database URL is of no kind that Stoa knows.
    #[error("unknown database URL: use sqlite:PATH or postgres://USER@HOST/NAME")]
    UnknownUrl,
    /// A denial could not be made durable, so it may not be answered.
    #[error("the audit could not be written: {0}")]
    Audit(String),
    /// A row holds something that this version can't read.
    #[error("unreadable {what} in the database: {detail}")]
    Unreadable {
        /// The kind of value.
        what: &'static str,
        /// What was found.
        detail: String,
    },
}
