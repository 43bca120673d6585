//! The authorization server of every mount (OAuth 2.1), without HTTP: parameters in, outcomes out, and every
//! error knows its code.
//!
//! ```text
//! register    POST /oauth/register    a client becomes known (RFC 7591); the same metadata is the same client
//! authorize   GET  /oauth/authorize   the request is checked; nothing is written, so nobody need be signed in
//! ask                                 it waits for its person (or needs none), at an address good once
//! page        GET  the consent page   as often as wanted
//! approve     POST the consent page   installation, grant and code; `cancel`: none of them
//! token       POST /oauth/token       a code or a refresh token becomes a pair of tokens
//! revoke      POST /oauth/revoke      (RFC 7009)
//! ```
//!
//! A request without a known client or a redirect URI of that client's is answered by a page of ours; every other
//! error goes back to the client, with the issuer (RFC 9207).
//!
//! **Audit.** What a person or a client that is known does is under audit, in the write's own transaction, and so is
//! a stolen code or token. What strangers send is not: their traces are bounded, an audit can't be.

mod approve;
mod ask;
mod authorize;
mod clients;
mod derive;
mod exchange;
mod find_client;
mod grant;
mod issue;
mod page;
mod prune;
mod refresh;
mod register;
mod revoke;
mod token;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use stoa_base::Ambient;
use stoa_base::subscriber::subscriber;
use stoa_store::Database;
use stoa_store::audit::Audit;
use url::Url;

pub use approve::ConsentError;
pub use ask::Asked;
pub use authorize::AuthorizeError;
pub use clients::ConfigureError;
pub use find_client::ClientRefused;
pub use prune::prune;
pub use register::RegisterError;
pub use token::TokenError;

use derive::Derivation;

/// Where client id metadata documents come from: the network, or a test.
pub trait Documents: Send + Sync {
    /// The document at `url`, or why it could not be had, for a person to read.
    fn fetch<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Result<Vec<u8>, String>>;
}

/// What an operator may set.
#[derive(Clone, Copy, Debug)]
pub struct OAuthSettings {
    /// How long a used refresh token still gives the pair that it gave before; zero: not at all.
    pub refresh_grace: Duration,
    /// How many clients that nobody ever connected a mount remembers.
    pub most_unused_clients: u32,
    /// How many new clients an hour one address may bring to a mount.
    pub new_clients_per_address: u32,
}

impl Default for OAuthSettings {
    fn default() -> Self {
        Self {
            refresh_grace: Duration::from_mins(1),
            most_unused_clients: 1_000,
            new_clients_per_address: 20,
        }
    }
}

/// The authorization server. Cheap to clone.
#[derive(Clone)]
pub struct OAuth {
    db: Database,
    ambient: Ambient,
    audit: Audit,
    derivation: Derivation,
    documents: Option<Arc<dyn Documents>>,
    settings: OAuthSettings,
}

impl OAuth {
    /// The server on this database. `key` is the sub-key [`stoa_store::secret::Purpose::Refresh`]; without
    /// `documents` no client id metadata document is read.
    #[must_use]
    pub fn new(
        db: Database,
        ambient: Ambient,
        audit: Audit,
        key: [u8; 32],
        documents: Option<Arc<dyn Documents>>,
        settings: OAuthSettings,
    ) -> Self {
        Self { db, ambient, audit, derivation: Derivation::new(key), documents, settings }
    }

    /// Whether clients may come with a metadata document: what `client_id_metadata_document_supported` says.
    #[must_use]
    pub fn takes_documents(&self) -> bool {
        self.documents.is_some()
    }

    /// What the quota counts an address by: nobody can tell the address from it. Of IPv6 the 64 bits that one
    /// subscriber has.
    fn source(&self, ip: Option<IpAddr>) -> Option<[u8; 8]> {
        let bits = match subscriber(ip?.to_canonical()) {
            IpAddr::V4(address) => u128::from(address.to_bits()),
            IpAddr::V6(network) => network.to_bits() >> 64,
        };
        Some(self.derivation.source(&bits.to_be_bytes()))
    }
}

impl std::fmt::Debug for OAuth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OAuth").field("settings", &self.settings).finish_non_exhaustive()
    }
}
