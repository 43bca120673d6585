//! Signing in at an OpenID provider (OpenID Connect Core 1.0): what is remembered and decided here. Asking the
//! provider is the caller's part.

mod finish;
mod links;
mod start;

pub use finish::{OidcError, OidcIdentity, finish};
pub use links::{UnlinkError, links, unlink};
pub use start::{OidcCeremony, OidcStart, resume, start};
