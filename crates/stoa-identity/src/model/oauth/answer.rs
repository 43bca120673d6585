//! What goes back to a client.

use std::time::Duration;

use url::form_urlencoded::Serializer;

use super::error::ErrorCode;
use super::profile::MountProfile;
use super::redirect_uri::RedirectUri;
use crate::{Scopes, SecretToken};

/// Where a person is carried on to, with the answer in it. The address holds a code: it is shown to its person
/// and written nowhere.
#[derive(Clone)]
pub struct Redirection {
    /// The address, with the answer.
    pub location: String,
    /// The redirect URI alone.
    pub redirect_uri: RedirectUri,
}

impl std::fmt::Debug for Redirection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redirection({})", self.redirect_uri)
    }
}

impl Redirection {
    /// With a code (RFC 6749 section 4.1.2) and the issuer (RFC 9207 section 2).
    pub(crate) fn success(
        profile: &MountProfile,
        to: &RedirectUri,
        state: Option<&str>,
        code: &SecretToken,
    ) -> Self {
        Self::new(profile, to, state, &[("code", code.expose())])
    }

    /// With an error (RFC 6749 section 4.1.2.1) and the issuer.
    pub(crate) fn error(
        profile: &MountProfile,
        to: &RedirectUri,
        state: Option<&str>,
        code: ErrorCode,
        description: &str,
    ) -> Self {
        Self::new(profile, to, state, &[("error", code.as_str()), ("error_description", description)])
    }

    fn new(profile: &MountProfile, to: &RedirectUri, state: Option<&str>, answer: &[(&str, &str)]) -> Self {
        let state = state.map(|state| ("state", state));
        let issuer = ("iss", profile.issuer.as_str());
        let pairs = answer.iter().copied().chain(state).chain([issuer]);
        let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
        // What stands in the redirect URI stays there to the letter (section 3.1.2).
        let joint = match to.as_str().split_once('?') {
            None => "?",
            Some((_, "")) => "",
            Some(_) => "&",
        };
        Self { location: format!("{to}{joint}{query}"), redirect_uri: to.clone() }
    }
}

/// Tokens (RFC 6749 section 5.1).
#[derive(Clone, Debug)]
pub struct TokenAnswer {
    /// Shown at the mount's endpoint.
    pub access_token: SecretToken,
    /// Shown at the token endpoint, once.
    pub refresh_token: SecretToken,
    /// How long the access token is good from now on.
    pub expires_in: Duration,
    /// What the access token may do.
    pub scope: Scopes,
}
