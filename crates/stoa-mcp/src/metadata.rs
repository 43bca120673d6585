//! Protected-resource metadata (RFC 9728 section 2): where to sign in for a mount, and what to ask for.

use serde::Serialize;
use stoa_site::Mount;

use crate::listing::Listing;

#[derive(Debug, Serialize)]
pub(crate) struct Metadata<'a> {
    /// Exactly the URL that people paste.
    resource: String,
    authorization_servers: [String; 1],
    scopes_supported: Vec<&'a str>,
    bearer_methods_supported: [&'static str; 1],
    resource_name: &'a str,
}

impl<'a> Metadata<'a> {
    pub fn new(mount: &Mount, listing: &'a Listing) -> Self {
        Self {
            resource: mount.mcp_url(),
            authorization_servers: [mount.issuer()],
            scopes_supported: listing.scopes.split_whitespace().collect(),
            bearer_methods_supported: ["header"],
            resource_name: listing.server.title,
        }
    }
}
