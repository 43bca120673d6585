//! Who we are to passkeys.

use std::fmt;

use url::Url;
use webauthn_rs::prelude::{Webauthn, WebauthnBuilder};

/// What a browser shows when it asks for a passkey.
const NAME: &str = "Stoa";

/// The relying party: the domain of the public URL, which passkeys are bound to for good, and its one origin.
pub struct RelyingParty(pub(super) Webauthn);

impl RelyingParty {
    /// The relying party of the server at `public_url`. `None` where that has no domain: WebAuthn knows no passkeys
    /// of bare addresses.
    #[must_use]
    pub fn at(public_url: &str) -> Option<Self> {
        let origin = Url::parse(public_url).ok()?;
        let domain = origin.domain()?.to_owned();
        let builder = WebauthnBuilder::new(&domain, &origin).ok()?;
        builder.rp_name(NAME).timeout(super::CEREMONY).build().ok().map(Self)
    }
}

impl fmt::Debug for RelyingParty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RelyingParty").field(&self.0.get_allowed_origins()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_have_passkeys_and_bare_addresses_have_none() {
        for url in ["https://stoa.example.com", "http://localhost:8787"] {
            assert!(RelyingParty::at(url).is_some(), "{url}");
        }
        for url in ["http://127.0.0.1:8787", "http://[::1]:8787", "stoa"] {
            assert!(RelyingParty::at(url).is_none(), "{url}");
        }
    }
}
