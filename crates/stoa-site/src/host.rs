//! Which hosts may be asked for, and from which pages: the guard against DNS rebinding (MCP, streamable HTTP,
//! Security Warning).

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};

use crate::Unfit;
use crate::mount::{Origin, Site, SiteError};
use crate::single::single;

/// The names of the machine itself, as a client may spell them.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The accepted hosts and origins, from the configuration only.
#[derive(Debug)]
pub struct Hosts {
    /// `stoa.example.com`, `localhost:8787`.
    authorities: Vec<String>,
    /// `https://stoa.example.com`.
    origins: Vec<String>,
}

impl Hosts {
    /// The public URL's host and the own hosts; a loopback public URL brings all three loopback names.
    ///
    /// # Errors
    /// [`SiteError`] where a configured URL can't be used.
    pub fn new(site: &Site) -> Result<Self, SiteError> {
        let public = Origin::parse(&site.public_url)?;
        let mut accepted = spellings(&public)?;
        for own in &site.own_hosts {
            accepted.push(public.beside(&own.host)?);
        }
        let origins = accepted.iter().map(Origin::text).collect();
        let authorities = accepted.iter().flat_map(Origin::spellings).collect();
        Ok(Self { authorities, origins })
    }

    /// Lets a request pass whose host is one of ours, and whose page, if it comes from one, is ours too.
    ///
    /// # Errors
    /// [`Unfit`] for any other.
    pub fn check(&self, authority: &str, headers: &HeaderMap) -> Result<(), Unfit> {
        self.check_host(authority)?;
        single(headers, &ORIGIN)?.map_or(Ok(()), |origin| self.check_origin(origin))
    }

    /// Lets one of our hosts pass.
    ///
    /// # Errors
    /// [`Unfit::ForeignHost`] for any other.
    pub fn check_host(&self, authority: &str) -> Result<(), Unfit> {
        if is_among(&self.authorities, authority) { Ok(()) } else { Err(Unfit::ForeignHost) }
    }

    /// Lets pages of ours pass.
    ///
    /// # Errors
    /// [`Unfit::ForeignOrigin`] for those of any other.
    pub fn check_origin(&self, origin: &str) -> Result<(), Unfit> {
        if is_among(&self.origins, origin) { Ok(()) } else { Err(Unfit::ForeignOrigin) }
    }
}

/// The host that a request asks for: `:authority` in HTTP/2, else the header (RFC 9110 section 7.2).
///
/// # Errors
/// [`Unfit`] where there is none, or more than one.
pub fn authority<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Result<&'a str, Unfit> {
    let header = single(headers, &HOST)?;
    uri.authority().map(http::uri::Authority::as_str).or(header).ok_or(Unfit::ForeignHost)
}

fn spellings(public: &Origin) -> Result<Vec<Origin>, SiteError> {
    let (host, port) = public.host_and_port();
    if LOOPBACK.contains(&host) {
        return LOOPBACK.iter().map(|name| public.beside(&format!("{name}{port}"))).collect();
    }
    Ok(vec![public.clone()])
}

fn is_among(accepted: &[String], given: &str) -> bool {
    accepted.iter().any(|one| one.eq_ignore_ascii_case(given))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use stoa_identity::WorkspaceName;

    use super::*;
    use crate::mount::OwnHost;

    fn hosts(public_url: &str) -> Hosts {
        let own = OwnHost {
            host: "things.example.com".to_owned(),
            workspace: WorkspaceName::of_default(),
            service: "things".to_owned(),
        };
        Hosts::new(&Site { public_url: public_url.to_owned(), own_hosts: vec![own] }).unwrap()
    }

    fn check(hosts: &Hosts, authority: &str, origin: Option<&'static str>) -> Result<(), Unfit> {
        let mut headers = HeaderMap::new();
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        hosts.check(authority, &headers)
    }

    #[test]
    fn a_loopback_public_url_accepts_the_three_names_with_its_port() {
        let hosts = hosts("http://localhost:8787");
        for name in ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST:8787"] {
            assert!(check(&hosts, name, None).is_ok(), "{name}");
        }
        for name in ["localhost", "localhost:1", "evil.example.com", "127.0.0.2:8787", ""] {
            assert!(matches!(check(&hosts, name, None), Err(Unfit::ForeignHost)), "{name}");
        }
    }

    #[test]
    fn row_20_a_public_host_is_accepted_behind_a_proxy_and_loopback_is_not() {
        let hosts = hosts("https://stoa.example.com");
        for name in ["stoa.example.com", "stoa.example.com:443", "things.example.com"] {
            assert!(check(&hosts, name, None).is_ok(), "{name}");
        }
        assert!(check(&hosts, "localhost:8787", None).is_err());
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        let hosts = hosts("https://stoa.example.com");
        let from = |origin| check(&hosts, "stoa.example.com", Some(origin));
        assert!(from("https://stoa.example.com").is_ok());
        assert!(from("https://things.example.com").is_ok());
        for origin in ["http://stoa.example.com", "https://evil.example.com", "null", ""] {
            assert!(matches!(from(origin), Err(Unfit::ForeignOrigin)), "{origin}");
        }
    }
}
