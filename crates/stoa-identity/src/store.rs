//! The only SQL of this crate, one file a table.

pub mod account;
pub mod activity;
pub mod attempt;
pub mod ceremony;
pub mod deleted_workspace;
pub mod estate;
pub mod installation;
pub mod invitation;
pub mod link;
pub mod membership;
pub mod oauth_client;
pub mod oauth_code;
pub mod oauth_grant;
pub mod oauth_installation;
pub mod oauth_request;
pub mod oauth_token;
pub mod oauth_trace;
pub mod oidc_identity;
pub mod passkey;
pub mod second_factor;
pub mod session;
pub mod token;
pub mod workspace;

use sqlx::query;
use stoa_base::Timestamp;
use stoa_store::audit::AddressClass;
use stoa_store::{Declared, StoreError, Tx, on};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[
    account::QUERIES,
    activity::QUERIES,
    installation::QUERIES,
    membership::QUERIES,
    oauth_client::QUERIES,
    oauth_code::QUERIES,
    oauth_grant::QUERIES,
    oauth_installation::QUERIES,
    oauth_request::QUERIES,
    oauth_token::QUERIES,
    oauth_trace::QUERIES,
    attempt::QUERIES,
    ceremony::QUERIES,
    deleted_workspace::QUERIES,
    estate::QUERIES,
    invitation::QUERIES,
    link::QUERIES,
    oidc_identity::QUERIES,
    passkey::QUERIES,
    second_factor::QUERIES,
    session::QUERIES,
    token::QUERIES,
    workspace::QUERIES,
];

/// Deletes what a statement says with this instant: what every table's pruning is.
async fn delete_until(tx: &mut Tx, sql: &'static str, until: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(sql).bind(until.as_micros()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Turns the error about a value that this version can't read into the store's.
fn unreadable<E: ToString>(what: &'static str) -> impl FnOnce(E) -> StoreError {
    move |error| StoreError::Unreadable { what, detail: error.to_string() }
}

/// An instant that may be absent, as it is stored.
fn micros(instant: Option<Timestamp>) -> Option<i64> {
    instant.map(Timestamp::as_micros)
}

/// A class of addresses, as it is stored.
fn address_word(address: AddressClass) -> &'static str {
    match address {
        AddressClass::Loopback => "loopback",
        AddressClass::Private => "private",
        AddressClass::Public => "public",
        AddressClass::Unknown => "unknown",
    }
}

/// The class of addresses with this word; one that this version does not know is not known.
fn address_class(word: &str) -> AddressClass {
    let classes = [AddressClass::Loopback, AddressClass::Private, AddressClass::Public];
    classes.into_iter().find(|class| address_word(*class) == word).unwrap_or(AddressClass::Unknown)
}
