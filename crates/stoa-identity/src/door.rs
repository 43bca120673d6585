//! What signing in stands on.

use std::sync::Arc;
use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::Database;
use stoa_store::secret::SecretKey;

use crate::passkeys::RelyingParty;

/// How long sessions are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionPolicy {
    /// From their beginning, however much they are used.
    pub lifetime: Duration,
    /// From their last use.
    pub idle: Duration,
}

impl Default for SessionPolicy {
    /// 30 days, 7 of them idle.
    fn default() -> Self {
        Self { lifetime: Duration::from_hours(30 * 24), idle: Duration::from_hours(7 * 24) }
    }
}

/// Whom an OpenID provider brings in who is not linked to an account yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OidcPolicy {
    /// Whether an address that the provider has verified is enough to be the account with that address. Whoever
    /// runs the provider could then be anybody.
    pub link_by_email: bool,
    /// The domains, in lower case, whose verified addresses are given an account as members of `default`.
    pub allowed_domains: Vec<String>,
}

/// What every operation of signing in needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Door {
    /// The database.
    pub db: Database,
    /// Time and chance.
    pub ambient: Ambient,
    /// Seals the secrets of authenticator apps.
    pub key: Arc<SecretKey>,
    /// Who we are to passkeys; `None` where the public URL has no domain, as at a bare address.
    pub relying_party: Option<Arc<RelyingParty>>,
    /// How long sessions are good.
    pub sessions: SessionPolicy,
    /// Whom an OpenID provider brings in.
    pub oidc: OidcPolicy,
}

impl Door {
    /// The door of the server at `public_url`, with sessions and providers as they are by default.
    #[must_use]
    pub fn new(db: Database, ambient: Ambient, key: Arc<SecretKey>, public_url: &str) -> Self {
        Self {
            db,
            ambient,
            key,
            relying_party: RelyingParty::at(public_url).map(Arc::new),
            sessions: SessionPolicy::default(),
            oidc: OidcPolicy::default(),
        }
    }
}
