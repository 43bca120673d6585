//! The only SQL of this crate, one file a table.

pub mod account;
pub mod attempt;
pub mod ceremony;
pub mod installation;
pub mod invitation;
pub mod link;
pub mod membership;
pub mod oidc_identity;
pub mod passkey;
pub mod second_factor;
pub mod session;
pub mod token;
pub mod workspace;

use stoa_base::Timestamp;
use stoa_store::{Declared, StoreError};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[
    account::QUERIES,
    attempt::QUERIES,
    ceremony::QUERIES,
    installation::QUERIES,
    invitation::QUERIES,
    link::QUERIES,
    membership::QUERIES,
    oidc_identity::QUERIES,
    passkey::QUERIES,
    second_factor::QUERIES,
    session::QUERIES,
    token::QUERIES,
    workspace::QUERIES,
];

/// Turns the error about a value that this version can't read into the store's.
fn unreadable<E: ToString>(what: &'static str) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Unreadable { what, detail: error.to_string() }
}

/// An instant that may be absent, as it is stored.
fn micros(instant: Option<Timestamp>) -> Option<i64> {
    instant.map(Timestamp::as_micros)
}
