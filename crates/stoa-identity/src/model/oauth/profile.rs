//! What the authorization server needs to know of the mount that it speaks for.

use std::time::Duration;

use url::Url;

use crate::{MountId, Scopes};

/// A mount, as its authorization server sees it. Whoever mounts services makes one for each.
#[derive(Clone, Debug)]
pub struct MountProfile {
    /// Where tokens will be good.
    pub mount: MountId,
    /// The issuer (RFC 8414 section 2): the mount's base URL, without a final slash.
    pub issuer: String,
    /// The URL that people paste (RFC 8707): where the tokens will be shown.
    pub resource: String,
    /// Every scope that can be asked for here.
    pub scopes: Scopes,
    /// What is asked for where a client names none of them.
    pub default_scopes: Scopes,
    /// What a person who connects a client can't leave out.
    pub required_scopes: Scopes,
    /// How long tokens are good.
    pub lifetimes: Lifetimes,
}

/// How long tokens are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// An access token.
    pub access: Duration,
    /// A refresh token, counted from when it was given: each use gives a new one.
    pub refresh: Duration,
}

impl MountProfile {
    /// Whether `asked` (RFC 8707 section 2) means this mount: the URL that people paste or the issuer, with or
    /// without a final slash, in any case where case means nothing, and under any loopback name if it is on
    /// loopback.
    #[must_use]
    pub fn is_meant_by(&self, asked: &str) -> bool {
        let Some(asked) = canonical(asked) else { return false };
        [&self.resource, &self.issuer].into_iter().any(|own| canonical(own).is_some_and(|own| own == asked))
    }

    /// Of what was asked, in the form of RFC 6749 section 3.3, what there is here; the default where that is
    /// nothing. Scopes of OpenID Connect, and whatever else there is not, are passed over.
    #[must_use]
    pub(crate) fn scopes_of(&self, asked: Option<&str>) -> Scopes {
        let asked: Scopes = asked.unwrap_or_default().split_ascii_whitespace().collect();
        let ours = asked.and(&self.scopes);
        if ours.is_empty() { self.default_scopes.clone() } else { ours.or(&self.required_scopes) }
    }
}

fn canonical(text: &str) -> Option<String> {
    let mut url = Url::parse(text).ok()?;
    let is_plain = url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        && url.query().is_none()
        && !text.contains('\\');
    if matches!(url.host_str(), Some("127.0.0.1" | "[::1]")) {
        url.set_host(Some("localhost")).ok()?;
    }
    let text = url.as_str();
    is_plain.then(|| text.strip_suffix('/').unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use stoa_base::{Ambient, WorkspaceId};

    use super::*;

    fn profile(origin: &str) -> MountProfile {
        MountProfile {
            mount: MountId::new(WorkspaceId::new(&Ambient::system()), "things"),
            issuer: format!("{origin}/things"),
            resource: format!("{origin}/things/mcp"),
            scopes: "rambles:read things:read things:write".parse().unwrap(),
            default_scopes: "rambles:read things:read".parse().unwrap(),
            required_scopes: "rambles:read".parse().unwrap(),
            lifetimes: Lifetimes { access: Duration::from_hours(1), refresh: Duration::from_hours(720) },
        }
    }

    #[test]
    fn a_mount_is_meant_by_its_urls_with_and_without_a_slash() {
        let profile = profile("https://stoa.example.com");
        for resource in [
            "https://stoa.example.com/things/mcp",
            "https://stoa.example.com/things/mcp/",
            "https://stoa.example.com/things",
            "https://stoa.example.com/things/",
            "HTTPS://Stoa.Example.Com:443/things/mcp",
        ] {
            assert!(profile.is_meant_by(resource), "{resource}");
        }
        for resource in [
            "",
            "things",
            "https://stoa.example.com",
            "https://stoa.example.com/mcp",
            "https://stoa.example.com/things/MCP",
            "https://stoa.example.com/things/mcp//",
            "https://stoa.example.com/things/mcp#x",
            "https://stoa.example.com/things/mcp?x",
            "https://user@stoa.example.com/things/mcp",
            "http://stoa.example.com/things/mcp",
            "https://stoa.example.com:8443/things/mcp",
            "https://stoa.example.com/w/acme/things/mcp",
            r"https://stoa.example.com\things\mcp",
        ] {
            assert!(!profile.is_meant_by(resource), "{resource}");
        }
    }

    #[test]
    fn a_loopback_mount_has_three_names() {
        let profile = profile("http://localhost:8787");
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            assert!(profile.is_meant_by(&format!("http://{host}:8787/things/mcp")), "{host}");
        }
        assert!(!profile.is_meant_by("http://127.0.0.1:8788/things/mcp"));
    }

    #[test]
    fn of_scopes_what_is_ours_counts_and_else_the_default() {
        let profile = profile("https://stoa.example.com");
        let scopes = |asked| profile.scopes_of(asked).to_string();
        assert_eq!(scopes(None), "rambles:read things:read");
        assert_eq!(scopes(Some("")), "rambles:read things:read");
        assert_eq!(scopes(Some("openid profile email offline_access")), "rambles:read things:read");
        assert_eq!(scopes(Some("openid  things:write nonsense")), "rambles:read things:write");
    }
}
