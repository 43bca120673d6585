//! The web front door: pages in which people sign in, say yes to their agents and see what those do, and the routes
//! of the authorization server of every mount.
//!
//! The way of a request, each arrow one module:
//!
//! ```text
//! host and origin (guard) -> visitor (address, language, session) -> member (workspace, role) -> page or route
//!     -> operation -> respond
//! ```
//!
//! Pages and routes read parameters, call operations of `stoa-identity`, and say what came of it; what anybody may do
//! is decided there. [`texts`] has every word that a person reads, in each language; `templates/` where it stands.

mod assets;
mod browser;
mod budgets;
mod cookies;
mod guard;
pub mod language;
mod mailer;
mod member;
mod named;
mod oauth;
mod pages;
mod provider;
mod qr;
mod reach;
mod respond;
mod route;
mod router;
mod shell;
mod tenancy;
pub mod texts;
mod visitor;
mod web;
mod when;

pub use budgets::{RunBudget, RunBudgets};
pub use language::Language;
pub use mailer::{Letter, MailError, Mailer, Matter};
pub use member::Member;
pub use named::Named;
pub use pages::sign_in::oidc::BACK as SIGNED_IN_ELSEWHERE;
pub use pages::trouble::plain as trouble;
pub use provider::{Provider, ProviderError};
pub use reach::{Place, Places};
pub use respond::{Fault, page, page_with, see_other};
pub use route::{Route, RouteKind};
pub use router::{router, routes};
pub use shell::{Link, Section, Shell};
pub use tenancy::{Download, Tenancy};
pub use visitor::{Guest, Visitor};
pub use web::{Face, Foundations, Quota, ScopeFace, Web, WebConfig};
pub use when::When;
