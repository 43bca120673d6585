//! The web front door: pages in which people sign in, say yes to their agents and see what those do, and the routes
//! of the authorization server of every mount.
//!
//! The way of a request, each arrow one module:
//!
//! ```text
//! host and origin (guard) -> visitor (address, language, session) -> page or route -> operation -> respond
//! ```
//!
//! Pages and routes read parameters, call operations of `stoa-identity`, and say what came of it; what anybody may do
//! is decided there. [`texts`] has every word that a person reads, in each language; `templates/` where it stands.

mod assets;
mod cookies;
mod guard;
pub mod language;
mod oauth;
mod pages;
mod respond;
mod router;
mod shell;
pub mod texts;
mod visitor;
mod web;

pub use language::Language;
pub use router::{RouteKind, router, routes};
pub use web::{Face, Foundations, ScopeFace, Web, WebConfig};
