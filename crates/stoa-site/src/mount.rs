//! Mounts: where a service of a workspace lives. Every URL of a service is derived from its mount, and a
//! mount from the configured public URL: nothing of it is ever read from a request.

use std::collections::HashMap;
use std::sync::Arc;

use http::Uri;
use http::uri::{Authority, Scheme};
use stoa_identity::WorkspaceName;

/// The name of the mount that shows every service.
pub const ALL: &str = "all";
/// The path of the MCP endpoint under a mount's base.
const MCP: &str = "/mcp";
/// Before an own host's name, where people meet its authorization server at the public URL.
pub const AT: &str = "/at/";
/// Where protected-resource metadata lives (RFC 9728 section 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Where the outside world finds this Stoa.
#[derive(Clone, Debug)]
pub struct Site {
    /// The public origin: `https://stoa.example.com`, without a path.
    pub public_url: String,
    /// Hosts that carry one mount each.
    pub own_hosts: Vec<OwnHost>,
}

/// A host of its own for one mount (`[hosts]` of the configuration). Its scheme is the public URL's.
#[derive(Clone, Debug)]
pub struct OwnHost {
    /// The host, with its port where that is not the scheme's: `ramble.example.com`.
    pub host: String,
    /// The workspace.
    pub workspace: WorkspaceName,
    /// The service, or [`ALL`].
    pub service: String,
}

/// The configured URLs can't be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SiteError {
    /// The public URL is no origin.
    #[error("the public URL must be http:// or https:// and a host, without a path: {0}")]
    PublicUrl(String),
    /// An own host is no host.
    #[error("not a host name with an optional port: {0}")]
    Host(String),
    /// An own host carries a service that this build lacks.
    #[error("there is no service {0}")]
    Service(String),
}

/// One mount.
#[derive(Debug, PartialEq, Eq)]
pub struct Mount {
    /// The workspace.
    pub workspace: WorkspaceName,
    /// The service's name, or [`ALL`].
    pub service: &'static str,
    /// `https://stoa.example.com`.
    origin: Arc<str>,
    /// What stands between the origin and the service's own paths: nothing, `/things`, `/w/acme/things`.
    base: String,
    /// Where people meet it: at the public URL always, where their session is.
    people: String,
}

impl Mount {
    /// The base URL, without a final slash: also the issuer (RFC 8414 section 2).
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("{}{}", self.origin, self.base)
    }

    /// The URL that people paste into their client: also the `resource` (RFC 8707).
    #[must_use]
    pub fn mcp_url(&self) -> String {
        format!("{}{}{MCP}", self.origin, self.base)
    }

    /// The URL of one of the mount's own paths: `/oauth/token`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{}{path}", self.origin, self.base)
    }

    /// The URL of one of the mount's own paths that a person opens: `/oauth/authorize`.
    #[must_use]
    pub fn page_url(&self, path: &str) -> String {
        format!("{}{path}", self.people)
    }

    /// Where its authorization server's endpoints are, under its base.
    #[must_use]
    pub fn oauth_paths(&self) -> OAuthPaths {
        OAuthPaths::of(self.service)
    }

    /// Where this mount's protected-resource metadata is, the path inserted (RFC 9728 section 3.1).
    #[must_use]
    pub fn metadata_url(&self) -> String {
        format!("{}{WELL_KNOWN}{}{MCP}", self.origin, self.base)
    }
}

/// Where the endpoints of an authorization server are, under the mount's base. Those of each service are what its
/// reference page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OAuthPaths {
    /// Dynamic client registration (RFC 7591).
    pub register: &'static str,
    /// The authorization endpoint (RFC 6749 section 3.1).
    pub authorize: &'static str,
    /// The token endpoint (RFC 6749 section 3.2).
    pub token: &'static str,
    /// Revocation (RFC 7009).
    pub revoke: &'static str,
}

impl OAuthPaths {
    /// Where a request waits for its person: what follows says which.
    pub const CONSENT: &str = "/oauth/consent/";

    /// The base before the one of these that a path is.
    fn base(self, path: &str) -> Option<&str> {
        let ends = [self.register, self.authorize, self.token, self.revoke];
        let before = ends.iter().find_map(|end| path.strip_suffix(end));
        before.or_else(|| path.rsplit_once(Self::CONSENT).map(|(base, _)| base))
    }

    /// Those of a service's mount, or of [`ALL`].
    #[must_use]
    pub fn of(service: &str) -> Self {
        match service {
            "rambles" => Self {
                register: "/api/oauth/register",
                authorize: "/oauth/authorize",
                token: "/api/oauth/token",
                revoke: "/api/oauth/revoke",
            },
            "rooms" => {
                Self { register: "/register", authorize: "/authorize", token: "/token", revoke: "/revoke" }
            }
            _ => Self {
                register: "/oauth/register",
                authorize: "/oauth/authorize",
                token: "/oauth/token",
                revoke: "/oauth/revoke",
            },
        }
    }
}

/// Every mount there is.
#[derive(Debug)]
pub struct MountTable {
    origin: Arc<str>,
    /// The mounts of the workspace `default` by their base.
    by_base: HashMap<String, Arc<Mount>>,
    by_host: HashMap<String, Arc<Mount>>,
}

impl MountTable {
    /// The mounts of these services and of [`ALL`].
    ///
    /// # Errors
    /// [`SiteError`] where a configured URL can't be used.
    pub fn new(site: &Site, services: &[&'static str]) -> Result<Self, SiteError> {
        let public = Origin::parse(&site.public_url)?;
        let origin: Arc<str> = public.text().into();
        let paths = services.iter().map(|service| (format!("/{service}"), *service));
        let by_base = std::iter::once((String::new(), ALL))
            .chain(paths)
            .map(|(base, service)| {
                let workspace = WorkspaceName::of_default();
                (base.clone(), Arc::new(public_mount(workspace, service, origin.clone(), base)))
            })
            .collect();
        let mut by_host = HashMap::new();
        for own in &site.own_hosts {
            let (origin, mount) = own_mount(own, &public, services)?;
            by_host.extend(origin.spellings().map(|authority| (authority, mount.clone())));
        }
        Ok(Self { origin, by_base, by_host })
    }

    /// The mount whose MCP endpoint is at `path` of the host `authority`, which is compared in lower case.
    /// Whether the host may be asked at all is [`crate::host`]'s to say.
    #[must_use]
    pub fn find(&self, authority: &str, path: &str) -> Option<Arc<Mount>> {
        self.find_under(authority, path.strip_suffix(MCP)?)
    }

    /// The mount with this base at the host `authority`.
    #[must_use]
    pub fn find_under(&self, authority: &str, base: &str) -> Option<Arc<Mount>> {
        if let Some(mount) = self.own(authority) {
            return base.is_empty().then(|| mount.clone());
        }
        self.find_public(base)
    }

    /// The mount with this base under the public URL.
    #[must_use]
    pub fn find_public(&self, base: &str) -> Option<Arc<Mount>> {
        self.by_base.get(base).cloned().or_else(|| self.find_workspace(base))
    }

    /// The mount to whose authorization server a path belongs: at the public URL also `/at/HOST`, an own host's.
    #[must_use]
    pub fn find_authorization(&self, authority: &str, path: &str) -> Option<Arc<Mount>> {
        if self.own(authority).is_none()
            && let Some((host, path)) = path.strip_prefix(AT).and_then(split_host)
        {
            let mount = self.own(host)?;
            return (mount.oauth_paths().base(path) == Some("")).then(|| mount.clone());
        }
        self.by_base.values().find_map(|known| {
            let base = known.oauth_paths().base(path)?;
            self.find_under(authority, base).filter(|mount| mount.service == known.service)
        })
    }

    /// The mount that the path of a protected-resource document names: the path-inserted form, or the root
    /// for the mount whose base is empty.
    #[must_use]
    pub fn find_metadata(&self, authority: &str, path: &str) -> Option<Arc<Mount>> {
        match path.strip_prefix(WELL_KNOWN)? {
            "" => self.find(authority, MCP),
            inserted => self.find(authority, inserted),
        }
    }

    /// Where the page at this path of an own host is: people are met at the public URL, since neither cookies nor
    /// passkeys cross hosts. `None`: the host is no own one.
    #[must_use]
    pub fn elsewhere(&self, authority: &str, path_and_query: &str) -> Option<String> {
        let mount = self.own(authority)?;
        let path = path_and_query.split('?').next().unwrap_or_default();
        Some(match path {
            "/" => format!("{}{}/", self.origin, public_base(mount)),
            path if path == mount.oauth_paths().authorize => mount.page_url(path_and_query),
            _ => format!("{}{path_and_query}", self.origin),
        })
    }

    fn own(&self, authority: &str) -> Option<&Arc<Mount>> {
        if self.by_host.is_empty() {
            return None;
        }
        self.by_host.get(&authority.to_ascii_lowercase())
    }

    /// `/w/acme/things`: whether there is such a workspace is not looked up, so that nobody learns which
    /// there are.
    fn find_workspace(&self, base: &str) -> Option<Arc<Mount>> {
        let inner = base.strip_prefix("/w/")?;
        let (name, rest) = inner.split_at(inner.find('/').unwrap_or(inner.len()));
        let workspace: WorkspaceName = name.parse().ok()?;
        if workspace == WorkspaceName::of_default() {
            return None;
        }
        let service = self.by_base.get(rest)?.service;
        Some(Arc::new(public_mount(workspace, service, self.origin.clone(), base.to_owned())))
    }
}

/// `HOST/oauth/authorize` as the host and the path there.
fn split_host(inner: &str) -> Option<(&str, &str)> {
    inner.find('/').map(|slash| inner.split_at(slash))
}

/// The base at the public URL of the same workspace and service.
fn public_base(mount: &Mount) -> String {
    let service = if mount.service == ALL { String::new() } else { format!("/{}", mount.service) };
    if mount.workspace == WorkspaceName::of_default() {
        return service;
    }
    format!("/w/{}{service}", mount.workspace)
}

fn public_mount(workspace: WorkspaceName, service: &'static str, origin: Arc<str>, base: String) -> Mount {
    let people = format!("{origin}{base}");
    Mount { workspace, service, origin, base, people }
}

fn own_mount(
    own: &OwnHost,
    public: &Origin,
    services: &[&'static str],
) -> Result<(Origin, Arc<Mount>), SiteError> {
    let known = services.iter().chain(&[ALL]).find(|service| **service == own.service);
    let service = known.ok_or_else(|| SiteError::Service(own.service.clone()))?;
    let origin = public.beside(&own.host)?;
    let workspace = own.workspace.clone();
    let people = format!("{}{AT}{}", public.text(), origin.authority);
    let mount = Mount { workspace, service, origin: origin.text().into(), base: String::new(), people };
    Ok((origin, Arc::new(mount)))
}

/// Scheme and host of a configured URL, in lower case and without the scheme's own port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: &'static str,
    /// `stoa.example.com`, `localhost:8787`.
    pub authority: String,
}

impl Origin {
    /// Reads `http://localhost:8787`; a final slash is let pass.
    ///
    /// # Errors
    /// [`SiteError::PublicUrl`] for anything else.
    pub fn parse(url: &str) -> Result<Self, SiteError> {
        let wrong = || SiteError::PublicUrl(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let scheme = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => "http",
            Some(scheme) if *scheme == Scheme::HTTPS => "https",
            _ => return Err(wrong()),
        };
        let plain = uri.path() == "/" && uri.query().is_none();
        let authority = uri.authority().filter(|_| plain).ok_or_else(wrong)?;
        Self::of(scheme, authority).ok_or_else(wrong)
    }

    /// The origin of another host with the same scheme.
    ///
    /// # Errors
    /// [`SiteError::Host`] where it is no host.
    pub fn beside(&self, host: &str) -> Result<Self, SiteError> {
        let wrong = || SiteError::Host(host.to_owned());
        let authority: Authority = host.parse().map_err(|_| wrong())?;
        Self::of(self.scheme, &authority).ok_or_else(wrong)
    }

    fn of(scheme: &'static str, authority: &Authority) -> Option<Self> {
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return None;
        }
        let host = authority.host().to_ascii_lowercase();
        let own_port = if scheme == "https" { 443 } else { 80 };
        let port = authority.port_u16().filter(|port| *port != own_port);
        let authority = port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Some(Self { scheme, authority })
    }

    /// `http://localhost:8787`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }

    /// The host without its port, and the port with its colon.
    #[must_use]
    pub fn host_and_port(&self) -> (&str, &str) {
        let end = self.authority.rfind(']').map_or(0, |bracket| bracket + 1);
        let port = self.authority[end..].find(':').map_or(self.authority.len(), |colon| end + colon);
        self.authority.split_at(port)
    }

    /// The authority as clients may write it: some spell out the scheme's own port.
    pub fn spellings(&self) -> impl Iterator<Item = String> + use<> {
        let own_port = if self.scheme == "https" { 443 } else { 80 };
        let spelled_out = self.host_and_port().1.is_empty().then(|| format!("{}:{own_port}", self.authority));
        std::iter::once(self.authority.clone()).chain(spelled_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(own_hosts: Vec<OwnHost>) -> MountTable {
        let site = Site { public_url: "https://stoa.example.com/".to_owned(), own_hosts };
        MountTable::new(&site, &["things", "rooms"]).unwrap()
    }

    fn own(host: &str, service: &str) -> OwnHost {
        OwnHost { host: host.to_owned(), workspace: WorkspaceName::of_default(), service: service.to_owned() }
    }

    #[test]
    fn each_url_of_a_mount_derives_from_the_public_url() {
        let things = table(vec![]).find("anything", "/things/mcp").unwrap();
        assert_eq!(things.issuer(), "https://stoa.example.com/things");
        assert_eq!(things.mcp_url(), "https://stoa.example.com/things/mcp");
        assert_eq!(
            things.metadata_url(),
            "https://stoa.example.com/.well-known/oauth-protected-resource/things/mcp"
        );
        let all = table(vec![]).find("anything", "/mcp").unwrap();
        assert_eq!((all.service, all.issuer().as_str()), (ALL, "https://stoa.example.com"));
    }

    #[test]
    fn another_workspace_has_its_prefix_and_default_has_none() {
        let table = table(vec![]);
        let acme = table.find("h", "/w/acme/things/mcp").unwrap();
        assert_eq!((acme.workspace.as_str(), acme.service), ("acme", "things"));
        assert_eq!(acme.mcp_url(), "https://stoa.example.com/w/acme/things/mcp");
        assert_eq!(table.find("h", "/w/acme/mcp").unwrap().service, ALL);
        for path in ["/w/default/mcp", "/w//mcp", "/w/Acme/mcp", "/w/acme/nothing/mcp", "/nothing/mcp", "/x"]
        {
            assert!(table.find("h", path).is_none(), "{path}");
        }
    }

    #[test]
    fn an_own_host_carries_its_mount_at_its_root_only() {
        let table = table(vec![own("Rooms.example.com", "rooms")]);
        let rooms = table.find("rooms.EXAMPLE.com", "/mcp").unwrap();
        assert_eq!(rooms.mcp_url(), "https://rooms.example.com/mcp");
        for host in ["rooms.example.com", "rooms.example.com:443", "ROOMS.example.com:443"] {
            assert_eq!(table.find(host, "/mcp").unwrap().service, "rooms", "{host}");
            assert!(table.find(host, "/things/mcp").is_none(), "{host}");
            assert!(table.find(host, "/w/acme/rooms/mcp").is_none(), "{host}");
        }
    }

    #[test]
    fn metadata_is_at_the_path_form_and_for_an_empty_base_at_the_root() {
        let table = table(vec![own("rooms.example.com", "rooms")]);
        let at = |host: &str, path: &str| table.find_metadata(host, path).map(|mount| mount.service);
        assert_eq!(at("h", "/.well-known/oauth-protected-resource"), Some(ALL));
        assert_eq!(at("h", "/.well-known/oauth-protected-resource/mcp"), Some(ALL));
        assert_eq!(at("h", "/.well-known/oauth-protected-resource/things/mcp"), Some("things"));
        assert_eq!(at("rooms.example.com", "/.well-known/oauth-protected-resource"), Some("rooms"));
        assert_eq!(at("h", "/.well-known/oauth-protected-resource/things"), None);
        assert_eq!(at("h", "/.well-known/openid-configuration"), None);
    }

    #[test]
    fn an_authorization_server_is_found_by_each_of_its_mounts_paths() {
        let table = table(vec![own("rooms.example.com", "rooms")]);
        let at = |host: &str, path: &str| {
            table.find_authorization(host, path).map(|mount| (mount.workspace.to_string(), mount.service))
        };
        let found = |workspace: &str, service| Some((workspace.to_owned(), service));
        assert_eq!(at("h", "/oauth/token"), found("default", ALL));
        assert_eq!(at("h", "/things/oauth/authorize"), found("default", "things"));
        assert_eq!(at("h", "/w/acme/things/oauth/consent/x"), found("acme", "things"));
        assert_eq!(at("h", "/w/acme/oauth/register"), found("acme", ALL));
        assert_eq!(at("h", "/rooms/register"), found("default", "rooms"));
        assert_eq!(at("rooms.example.com", "/token"), found("default", "rooms"));
        // The paths of another service's authorization server are none of this one's.
        for path in
            ["/rooms/oauth/token", "/things/token", "/register", "/nothing/oauth/token", "/things/oauth"]
        {
            assert_eq!(at("h", path), None, "{path}");
        }
    }

    #[test]
    fn people_meet_an_own_host_at_the_public_url() {
        let table = table(vec![own("rooms.example.com", "rooms")]);
        let at = |path: &str| table.find_authorization("stoa.example.com", path);
        let rooms = at("/at/rooms.example.com/authorize").unwrap();
        assert_eq!((rooms.service, rooms.issuer().as_str()), ("rooms", "https://rooms.example.com"));
        assert_eq!(rooms.page_url("/authorize"), "https://stoa.example.com/at/rooms.example.com/authorize");
        for path in
            ["/at/none.example.com/authorize", "/at/rooms.example.com/x/authorize", "/at/rooms.example.com"]
        {
            assert_eq!(at(path), None, "{path}");
        }
        assert_eq!(table.find_authorization("rooms.example.com", "/at/rooms.example.com/authorize"), None);

        let elsewhere = |path: &str| table.elsewhere("rooms.example.com", path);
        let public = |path: &str| Some(format!("https://stoa.example.com{path}"));
        assert_eq!(elsewhere("/"), public("/rooms/"));
        assert_eq!(elsewhere("/authorize?a=b"), public("/at/rooms.example.com/authorize?a=b"));
        assert_eq!(elsewhere("/sign-in?next=%2F"), public("/sign-in?next=%2F"));
        assert_eq!(table.elsewhere("stoa.example.com", "/"), None);
    }

    #[test]
    fn urls_that_are_no_origin_are_refused() {
        for url in ["stoa.example.com", "ftp://h", "https://h/path", "https://u@h", "https://h?q", ""] {
            assert!(Origin::parse(url).is_err(), "{url}");
        }
        assert_eq!(Origin::parse("HTTPS://Stoa.Example.com:443").unwrap().text(), "https://stoa.example.com");
        let site = Site { public_url: "http://h".to_owned(), own_hosts: vec![own("x", "none")] };
        assert_eq!(MountTable::new(&site, &[]).unwrap_err(), SiteError::Service("none".to_owned()));
    }
}
