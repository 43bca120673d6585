//! The guard.

mod guard;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Response, StatusCode};
use url::{Host, Url};

use crate::is_public;
use guard::{Guard, Refused};

/// How a name becomes addresses: the system, or a test.
pub trait Lookup: Send + Sync {
    /// The addresses of `host`.
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>>;
}

/// The system's own way.
#[derive(Clone, Copy, Debug)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(
            async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect()) },
        )
    }
}

/// What an operator may set.
#[derive(Clone, Debug)]
pub struct OutboundSettings {
    /// Hosts that may have any address, as written in URLs: `docs.internal`, `10.0.0.7`. Still by `https`.
    pub private_hosts: Vec<String>,
    /// Certificates (PEM, any number) that are trusted beside the system's.
    pub extra_ca: Option<Vec<u8>>,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How long all of it may take.
    pub timeout: Duration,
}

impl Default for OutboundSettings {
    fn default() -> Self {
        Self {
            private_hosts: Vec::new(),
            extra_ca: None,
            connect_timeout: Duration::from_secs(3),
            timeout: Duration::from_secs(8),
        }
    }
}

/// Why a URL was not read.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// It is not `https`, has no host, or has a user name.
    #[error("only https URLs without a user name are read")]
    Url,
    /// Its host is, or resolves to, nothing but addresses that are not of the public internet.
    #[error("{0} is not on the public internet")]
    NotPublic(String),
    /// It answered with a redirect, which is not followed.
    #[error("it redirects, which is not followed")]
    Redirects,
    /// It answered with something else than 200.
    #[error("it answered with status {0}")]
    Status(u16),
    /// It is larger than the limit, in bytes.
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    /// It took too long.
    #[error("it took too long")]
    TimedOut,
    /// The name, the connection, TLS or HTTP failed.
    #[error("it could not be reached: {0}")]
    Unreachable(String),
    /// The guard could not be set up: a certificate can't be read, or the system has none.
    #[error("https can't be used: {0}")]
    Setup(String),
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The bytes, at most as many as allowed.
    pub bytes: Vec<u8>,
    /// What its server calls it (`Content-Type`).
    pub content_type: Option<String>,
}

/// Reads URLs that somebody else named. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client,
    private_hosts: Arc<[String]>,
}

impl Outbound {
    /// A guard over the system's way of resolving names.
    ///
    /// # Errors
    /// [`OutboundError::Setup`] when a certificate can't be read, or the system trusts none.
    pub fn new(settings: &OutboundSettings) -> Result<Self, OutboundError> {
        Self::with_lookup(settings, Arc::new(SystemLookup))
    }

    /// A guard over another way of resolving names.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_lookup(settings: &OutboundSettings, lookup: Arc<dyn Lookup>) -> Result<Self, OutboundError> {
        let hosts = settings.private_hosts.iter().map(|host| host.to_ascii_lowercase());
        let private_hosts: Arc<[String]> = hosts.collect();
        let mut builder = Client::builder()
            .https_only(true)
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            // Each connection is looked at anew.
            .pool_max_idle_per_host(0)
            .connect_timeout(settings.connect_timeout)
            .timeout(settings.timeout)
            .user_agent(concat!("stoa/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Arc::new(Guard { lookup, private_hosts: private_hosts.clone() }));
        if let Some(pem) = &settings.extra_ca {
            let certificates = Certificate::from_pem_bundle(pem).map_err(|error| setup(&error))?;
            builder = builder.tls_certs_merge(certificates);
        }
        Ok(Self { client: builder.build().map_err(|error| setup(&error))?, private_hosts })
    }

    /// Reads at most `limit` bytes.
    ///
    /// # Errors
    /// [`OutboundError`] says why not; a larger answer is an error, not cut.
    pub async fn get(&self, url: &Url, limit: usize) -> Result<Page, OutboundError> {
        self.check(url)?;
        let response = self.client.get(url.clone()).send().await.map_err(unreachable)?;
        match response.status() {
            StatusCode::OK => read(response, limit).await,
            status if status.is_redirection() => Err(OutboundError::Redirects),
            status => Err(OutboundError::Status(status.as_u16())),
        }
    }

    /// Sends a request and reads at most `limit` bytes of what is answered, whatever its status.
    ///
    /// # Errors
    /// [`OutboundError`] says why not; a larger answer is an error, not cut.
    pub async fn send(
        &self,
        request: http::Request<Vec<u8>>,
        limit: usize,
    ) -> Result<http::Response<Vec<u8>>, OutboundError> {
        let request = reqwest::Request::try_from(request).map_err(unreachable)?;
        self.check(request.url())?;
        let response = self.client.execute(request).await.map_err(unreachable)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut answer = http::Response::new(read(response, limit).await?.bytes);
        (*answer.status_mut(), *answer.headers_mut()) = (status, headers);
        Ok(answer)
    }

    /// What the URL itself tells. Names are looked at by the [`Guard`]; an address is no name, so it is looked at here.
    fn check(&self, url: &Url) -> Result<(), OutboundError> {
        let host = url.host().ok_or(OutboundError::Url)?;
        if url.scheme() != "https" || !url.username().is_empty() || url.password().is_some() {
            return Err(OutboundError::Url);
        }
        let address = match host {
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
            Host::Domain(_) => return Ok(()),
        };
        let is_allowed = is_public(address) || is_private_host(&self.private_hosts, &address.to_string());
        if is_allowed { Ok(()) } else { Err(OutboundError::NotPublic(address.to_string())) }
    }
}

fn is_private_host(private_hosts: &[String], host: &str) -> bool {
    private_hosts.iter().any(|private| private == host)
}

async fn read(response: Response, limit: usize) -> Result<Page, OutboundError> {
    let content_type = response.headers().get("content-type").and_then(|value| value.to_str().ok());
    let content_type = content_type.map(str::to_owned);
    let mut bytes = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(unreachable)?;
        if bytes.len() + chunk.len() > limit {
            return Err(OutboundError::TooLarge(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Page { bytes, content_type })
}

fn setup(error: &reqwest::Error) -> OutboundError {
    OutboundError::Setup(root(error))
}

fn unreachable(error: reqwest::Error) -> OutboundError {
    if let Some(refused) = Refused::within(&error) {
        return OutboundError::NotPublic(refused.host.clone());
    }
    if error.is_timeout() {
        return OutboundError::TimedOut;
    }
    // The URL is the caller's; an answer need not repeat it.
    OutboundError::Unreachable(root(&error.without_url()))
}

/// The innermost cause: the outer ones only say that something failed.
fn root(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
