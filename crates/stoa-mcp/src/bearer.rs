//! From the `Authorization` header to the caller (RFC 6750 section 2.1; no other way of sending a token is
//! taken).

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use stoa_identity::{Caller, MountId, Rejected};
use stoa_site::Mount;
use stoa_site::single::single;
use stoa_store::StoreError;
use zeroize::Zeroizing;

use crate::endpoint::Endpoint;
use crate::incident;
use crate::refusal::{Challenge, Refusal};

/// The token of a request; `None` where there is none, or a credential of another scheme.
fn token(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let Some(value) = single(headers, &AUTHORIZATION)? else { return Ok(None) };
    let bearer = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Ok(bearer.map(|(_, token)| token.trim_start_matches(' ')))
}

/// The token that a request was let in by: what goes on after the request shows it again.
#[derive(Clone)]
pub(crate) struct ShownToken(Zeroizing<String>);

impl ShownToken {
    /// The token's text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShownToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShownToken")
    }
}

/// Who sent this request to `mount`, and by which token. Whatever is wrong with a token, the client gets one and
/// the same answer; the reason goes to the log.
pub(crate) async fn caller(
    endpoint: &Endpoint,
    mount: &Mount,
    headers: &HeaderMap,
    address: Option<IpAddr>,
) -> Result<(Arc<Caller>, ShownToken), Refusal> {
    let Some(token) = token(headers)? else { return Err(challenge(endpoint, mount, false)) };
    let answer = authenticate(endpoint, mount, token).await;
    match answer.map_err(|error| Refusal::Internal(incident::noted(endpoint.ambient(), &error)))? {
        Ok(caller) => Ok((caller, ShownToken(Zeroizing::new(token.to_owned())))),
        Err(rejected) => {
            // First the limit: a flood of bad tokens is not to be one of the log too.
            endpoint.flood().failure(address)?;
            tracing::info!(reason = %rejected, mount = mount.service, workspace = %mount.workspace, "token refused");
            Err(challenge(endpoint, mount, true))
        }
    }
}

/// A workspace that does not exist has no tokens: nothing tells it from one that does.
async fn authenticate(
    endpoint: &Endpoint,
    mount: &Mount,
    token: &str,
) -> Result<Result<Arc<Caller>, Rejected>, StoreError> {
    let Some(workspace) = endpoint.workspaces().id(&mount.workspace).await? else {
        return Ok(Err(Rejected::OtherMount));
    };
    endpoint.authenticator().authenticate(token, &MountId::new(workspace, mount.service)).await
}

fn challenge(endpoint: &Endpoint, mount: &Mount, token_sent: bool) -> Refusal {
    let scopes = endpoint.listings().at(mount.service).map(|listing| listing.scopes.clone());
    Refusal::Unauthorized(Challenge {
        metadata_url: mount.metadata_url(),
        scopes: scopes.unwrap_or_default(),
        mount: mount.service,
        token_sent,
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_the_bearer_scheme_is_taken_in_any_case() {
        assert_eq!(token(&headers(&["Bearer abc"])).unwrap(), Some("abc"));
        assert_eq!(token(&headers(&["bearer  abc"])).unwrap(), Some("abc"));
        for other in ["Basic abc", "abc", "Bearerabc", ""] {
            assert_eq!(token(&headers(&[other])).unwrap(), None, "{other}");
        }
        assert_eq!(token(&headers(&[])).unwrap(), None);
    }

    #[test]
    fn debug_shows_no_token() {
        let token = ShownToken(Zeroizing::new("abc".to_owned()));
        assert_eq!((token.expose(), format!("{token:?}")), ("abc", "ShownToken".to_owned()));
    }

    #[test]
    fn two_tokens_are_none() {
        let mut twice = headers(&["Bearer abc"]);
        twice.append(AUTHORIZATION, HeaderValue::from_static("Bearer def"));
        assert!(matches!(token(&twice), Err(Refusal::Unfit(_))));
    }
}
