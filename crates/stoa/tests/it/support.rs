//! The house of a test, and who calls at it.

mod app;
mod callers;
mod provider;

pub use app::App;
pub use callers::{Anonymous, Answer, Bearer, form, post};
pub use provider::OpenId;

/// What every test's database needs.
pub const MIGRATIONS: &[&stoa_store::Migrations] = stoa::services::MIGRATIONS;
