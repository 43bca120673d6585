//! Where Stoa keeps what it knows: one database (SQLite or PostgreSQL), blobs, sealed secrets, the audit.
//!
//! **Adding a query**: declare it with [`queries!`] (one text with `$1` placeholders that both databases
//! read; where they differ, one text each), list the module in the crate's `QUERIES`, and run it with
//! [`on!`]. A test prepares every declared query on both databases.
//!
//! **Writing**: [`Database::begin`] gives a [`Tx`]; pass `&mut Tx` down, never the database, or SQLite's one
//! writer waits for itself.

pub mod audit;
pub mod blob;
pub mod database;
pub mod dialect;
pub mod error;
pub mod lease;
pub mod migrations;
pub mod query;
pub mod secret;
pub mod sweep;
pub mod tx;
pub mod wake;

pub use database::{Database, DatabaseUrl};
pub use dialect::Dialect;
pub use error::StoreError;
pub use lease::Lease;
pub use migrations::{MIGRATIONS, Migrations};
pub use query::{Declared, PerDialect};
pub use sweep::sweep;
pub use tx::Tx;
pub use wake::{Topic, Wakeups};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[
    database::QUERIES,
    wake::QUERIES,
    lease::QUERIES,
    audit::entry::QUERIES,
    audit::FORGET_QUERIES,
    audit::chain::CHECKPOINT_QUERIES,
    audit::chain::EXPORT_QUERIES,
    audit::chain::LINK_QUERIES,
    audit::chain::VERIFY_QUERIES,
    secret::QUERIES,
];
