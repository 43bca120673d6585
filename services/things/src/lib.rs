//! One catalog over all the places files live: search, read, analyze, sync.
//!
//! The rooms of a service crate, always the same: `model` plain types, `operations` what it can do, `store`
//! the only SQL, `tools` the MCP face, `pages` the web face, `runs` the background face. Beside them stand `connector` (how a place
//! is reached), `text` (from bytes to what is searched), `analysis` (the steps that join the two) and `watch`
//! (what notices changes).

pub mod analysis;
pub mod connector;
pub mod model;
pub mod operations;
pub mod pages;
pub mod runs;
pub mod store;
pub mod text;
pub mod tools;
pub mod watch;

pub use operations::{Settings, Things};
pub use runs::rebuild;
pub use store::index::TABLES as DERIVED;
pub use store::search::Effort;
pub use store::{MIGRATIONS, QUERIES};
pub use tools::{SCOPES, service};

/// The service's name in mounts, paths, runs and configuration.
pub const NAME: &str = "things";
/// What its endpoint calls itself to clients.
pub const SERVER_NAME: &str = "things";
/// Its name for people.
pub const TITLE: &str = "Things";
