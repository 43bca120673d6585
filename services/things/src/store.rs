//! The only SQL of this service. One file a table or a question; operations and runs call these.

pub mod catalog;
pub(crate) mod forget;
pub mod index;
pub mod reference;
pub mod resource;
pub mod search;
pub mod step;
pub mod text;
pub mod thing;
pub mod turn;

use stoa_store::{Declared, Migrations};

/// The tables of this service.
pub static MIGRATIONS: Migrations = Migrations {
    component: "things",
    sqlite: sqlx::migrate!("migrations/sqlite"),
    postgres: sqlx::migrate!("migrations/postgres"),
};

/// Every query of this service, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[
    forget::QUERIES,
    index::read::QUERIES,
    index::write::QUERIES,
    reference::QUERIES,
    reference::vanished::QUERIES,
    resource::QUERIES,
    step::QUERIES,
    text::QUERIES,
    thing::QUERIES,
    thing::merge::QUERIES,
    thing::presence::QUERIES,
    turn::QUERIES,
];
