//! What a client says of itself when it registers (RFC 7591 section 2).

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stoa_base::text::one_line;

use super::redirect_uri::{NotARedirectUri, RedirectUri};

/// The longest name, in characters.
const LONGEST_NAME: usize = 100;
/// The most redirect URIs.
const MOST_REDIRECTS: usize = 16;

/// The metadata that means something here; all other members are passed over, as section 2 asks.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ClientMetadata {
    /// Where answers may go.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// The name for people.
    pub client_name: Option<String>,
    /// How the client wants to prove itself at the token endpoint.
    pub token_endpoint_auth_method: Option<String>,
    /// The grants it means to use.
    pub grant_types: Option<Vec<String>>,
    /// The answers it means to ask for.
    pub response_types: Option<Vec<String>>,
}

/// Metadata that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedMetadata {
    /// The name in one line.
    pub name: Option<String>,
    /// At least one.
    pub redirect_uris: Vec<RedirectUri>,
}

/// The client as it is registered (RFC 7591 section 3.2.1): what the endpoint answers with.
#[derive(Clone, Debug, Serialize)]
pub struct Registration {
    /// What the client calls itself by from now on.
    pub client_id: String,
    /// When, in seconds since 1970.
    pub client_id_issued_at: i64,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// As the client wrote them.
    pub redirect_uris: Vec<String>,
    /// `none`: a public client.
    pub token_endpoint_auth_method: &'static str,
    /// What it may use.
    pub grant_types: [&'static str; 2],
    /// What it may ask for.
    pub response_types: [&'static str; 1],
}

/// The metadata can't be taken.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadMetadata {
    /// One of the redirect URIs, which the message names.
    #[error(transparent)]
    RedirectUri(#[from] NotARedirectUri),
    /// There is none, or there are too many.
    #[error("redirect_uris needs 1 to 16 URIs")]
    RedirectCount,
    /// Something else.
    #[error("{0}")]
    Other(&'static str),
}

impl BadMetadata {
    /// The error code of RFC 7591 section 3.2.2.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RedirectUri(_) | Self::RedirectCount => "invalid_redirect_uri",
            Self::Other(_) => "invalid_client_metadata",
        }
    }
}

impl ClientMetadata {
    /// Checks it. Every client is a public one: who asks for a secret is answered `none`, as section 3.2.1
    /// allows, and can do without; who means to prove itself by a key is refused, since it relies on being
    /// asked.
    ///
    /// # Errors
    /// [`BadMetadata`] says what can't be taken.
    pub fn check(&self) -> Result<CheckedMetadata, BadMetadata> {
        let method = self.token_endpoint_auth_method.as_deref();
        if !matches!(method, None | Some("none" | "client_secret_basic" | "client_secret_post")) {
            return Err(BadMetadata::Other("token_endpoint_auth_method: clients are public here, use none"));
        }
        self.check_flow()?;
        Ok(CheckedMetadata { name: self.name(), redirect_uris: self.redirects()? })
    }

    /// That the client means to use what there is.
    pub(super) fn check_flow(&self) -> Result<(), BadMetadata> {
        let lacks = |list: &Option<Vec<String>>, word: &str| {
            list.as_ref().is_some_and(|list| !list.is_empty() && !list.iter().any(|item| item == word))
        };
        if lacks(&self.grant_types, "authorization_code") {
            return Err(BadMetadata::Other("grant_types needs authorization_code"));
        }
        if lacks(&self.response_types, "code") {
            return Err(BadMetadata::Other("response_types needs code"));
        }
        Ok(())
    }

    pub(super) fn name(&self) -> Option<String> {
        let name = one_line(self.client_name.as_deref().unwrap_or_default(), LONGEST_NAME);
        (!name.is_empty()).then_some(name)
    }

    pub(super) fn redirects(&self) -> Result<Vec<RedirectUri>, BadMetadata> {
        if self.redirect_uris.is_empty() || self.redirect_uris.len() > MOST_REDIRECTS {
            return Err(BadMetadata::RedirectCount);
        }
        self.redirect_uris.iter().map(|text| text.parse().map_err(BadMetadata::RedirectUri)).collect()
    }
}

impl CheckedMetadata {
    /// The hash of what makes one client another: its name and its redirect URIs, in any order, whatever a
    /// loopback's port happens to be today.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        let mut redirects: Vec<_> = self.redirect_uris.iter().map(RedirectUri::portless).collect();
        redirects.sort_unstable();
        redirects.dedup();
        let mut hash = Sha256::new();
        let name = self.name.as_deref().unwrap_or_default();
        for part in std::iter::once(name).chain(redirects.iter().map(String::as_str)) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(json: &str) -> ClientMetadata {
        serde_json::from_str(json).unwrap()
    }

    fn refusal(json: &str) -> (&'static str, String) {
        let error = metadata(json).check().unwrap_err();
        (error.code(), error.to_string())
    }

    #[test]
    fn what_real_clients_send_is_taken() {
        let cursor = r#"{"client_name": "Cursor", "redirect_uris": ["cursor://anysphere.cursor-mcp/oauth/callback",
            "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "none", "application_type": "native", "scope": "things:read"}"#;
        let checked = metadata(cursor).check().unwrap();
        assert_eq!((checked.name.as_deref(), checked.redirect_uris.len()), (Some("Cursor"), 3));
        let bare = metadata(r#"{"redirect_uris": ["http://localhost/cb"], "client_name": ""}"#);
        assert_eq!(bare.check().unwrap().name, None);
        let secret = r#"{"redirect_uris": ["http://localhost/cb"], "token_endpoint_auth_method": "client_secret_post"}"#;
        metadata(secret).check().unwrap();
    }

    #[test]
    fn one_bad_redirect_among_several_is_named() {
        let (code, message) =
            refusal(r#"{"redirect_uris": ["http://localhost/cb", "javascript://x", "a://b"]}"#);
        assert_eq!(code, "invalid_redirect_uri");
        assert!(message.contains("javascript://x"), "{message}");
        assert_eq!(refusal("{}").0, "invalid_redirect_uri");
        let many = vec!["http://localhost/cb"; 17];
        assert_eq!(
            refusal(&serde_json::json!({ "redirect_uris": many }).to_string()).0,
            "invalid_redirect_uri"
        );
    }

    #[test]
    fn what_there_is_not_is_refused() {
        for more in [
            r#""token_endpoint_auth_method": "private_key_jwt""#,
            r#""token_endpoint_auth_method": "tls_client_auth""#,
            r#""grant_types": ["client_credentials"]"#,
            r#""grant_types": ["implicit", "password"]"#,
            r#""response_types": ["token"]"#,
        ] {
            let json = format!(r#"{{"redirect_uris": ["http://localhost/cb"], {more}}}"#);
            assert_eq!(refusal(&json).0, "invalid_client_metadata", "{more}");
        }
    }

    #[test]
    fn the_fingerprint_is_that_of_name_and_redirects_without_ports() {
        let print = |json: &str| metadata(json).check().unwrap().fingerprint();
        let first = print(r#"{"client_name": "a", "redirect_uris": ["http://localhost:1/cb", "a-app://b"]}"#);
        let same = print(
            r#"{"client_name": "a ", "redirect_uris": ["a-app://b", "http://localhost:2/cb"], "x": 1}"#,
        );
        assert_eq!(first, same);
        let other = print(r#"{"client_name": "b", "redirect_uris": ["http://localhost:1/cb", "a-app://b"]}"#);
        let fewer = print(r#"{"client_name": "a", "redirect_uris": ["http://localhost:1/cb"]}"#);
        assert!(first != other && first != fewer && other != fewer);
    }
}
