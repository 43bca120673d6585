//! Reading a URL that somebody else named: a client's metadata document, a place that a person connects, what an
//! OpenID provider says of itself.
//!
//! Whoever names the URL would like the server to reach what only the server can reach (server-side request forgery):
//! the machine itself, the network behind it, the cloud's metadata service. So [`Outbound`] reads `https` only,
//! follows no redirect, asks no proxy, stops at a size and a time, and connects only to addresses of the public
//! internet ([`is_public`]). The addresses are looked at where the connection is made, and the connection goes to
//! those that were looked at: a name that resolves to something else a moment later (DNS rebinding) gains nothing.

mod address;
mod outbound;

pub use address::is_public;
pub use outbound::{Lookup, Outbound, OutboundError, OutboundSettings, Page, SystemLookup};
