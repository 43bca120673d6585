//! The only SQL of this crate, one file a table.

pub mod account;
pub mod installation;
pub mod membership;
pub mod token;
pub mod workspace;

use stoa_base::Timestamp;
use stoa_store::{Declared, StoreError};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] =
    &[account::QUERIES, installation::QUERIES, membership::QUERIES, token::QUERIES, workspace::QUERIES];

/// Turns the error about a value that this version can't read into the store's.
fn unreadable<E: ToString>(what: &'static str) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Unreadable { what, detail: error.to_string() }
}

/// An instant that may be absent, as it is stored.
fn micros(instant: Option<Timestamp>) -> Option<i64> {
    instant.map(Timestamp::as_micros)
}
