//! The tables of `stoa.toml`, one struct each.

use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::Deserialize;
use stoa_store::blob::S3Config;

use super::Secret;

/// `[hosts]`, one entry: what is served at a host of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostMount {
    /// The service's name, or `all`.
    pub service: String,
    /// The workspace's name.
    pub workspace: String,
}

/// `[tls]`: the certificate that is served, with its key. Without: plain HTTP.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tls {
    /// The file of the certificate and those that lead to its root (PEM).
    pub cert: Option<PathBuf>,
    /// The file of its private key (PEM).
    pub key: Option<PathBuf>,
}

/// Where a certificate is, and its key.
#[derive(Clone, Debug)]
pub struct CertificateFiles {
    /// The certificate and those that lead to its root (PEM).
    pub cert: PathBuf,
    /// Its private key (PEM).
    pub key: PathBuf,
}

/// `[blobs]`: where bytes are kept. Without a bucket: the folder `blobs` in the data folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Blobs {
    /// The S3 bucket.
    pub bucket: Option<String>,
    /// What every key in the bucket begins with, without a final slash.
    pub prefix: String,
    /// The bucket's region.
    pub region: String,
    /// The URL of a server that speaks S3, where it is not AWS.
    pub endpoint: Option<String>,
    /// The access key's id.
    pub access_key: String,
    /// The access key's secret.
    pub secret_key: Secret,
}

impl Default for Blobs {
    fn default() -> Self {
        Self {
            bucket: None,
            prefix: String::new(),
            region: "us-east-1".to_owned(),
            endpoint: None,
            access_key: String::new(),
            secret_key: Secret::default(),
        }
    }
}

impl Blobs {
    /// The bucket with all that is needed to reach it; `None`: bytes are in the data folder.
    #[must_use]
    pub fn s3(&self) -> Option<S3Config> {
        self.bucket.clone().map(|bucket| S3Config {
            bucket,
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            access_key: self.access_key.clone(),
            secret_key: self.secret_key.expose().to_owned(),
            prefix: self.prefix.clone(),
        })
    }
}

/// `[log]`: what is logged, and how. Logs go to standard error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// Lines for people or for programs.
    pub format: LogFormat,
    /// The filter, as `tracing-subscriber` reads it: a level (`debug`) or levels by module
    /// (`stoa_mcp=debug,warn`). Left out: `info` for Stoa, `warn` for what it is built from.
    pub level: Option<String>,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// `[flood]`: the limit that holds before a request is looked at.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Flood {
    /// Requests a second of one installation. Twice as many may come at once.
    pub per_second: NonZeroU32,
    /// Requests a second of one address to the authorization servers (to register, to authorize, for tokens, for their
    /// metadata) and to the pages where people sign in. Five times as many may come at once.
    pub oauth_per_second: NonZeroU32,
}

impl Default for Flood {
    fn default() -> Self {
        Self {
            per_second: NonZeroU32::MIN.saturating_add(99),
            oauth_per_second: NonZeroU32::MIN.saturating_add(19),
        }
    }
}

/// `[oauth]`: the authorization server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OAuth {
    /// For how many seconds a used refresh token still gives the pair that it gave before; 0: not at all.
    pub refresh_grace: u32,
    /// Whether clients may come with a metadata document, which the server then reads from the internet. Left out:
    /// unless the public URL is good on this machine only.
    pub cimd: Option<bool>,
    /// Hosts of metadata documents that may have private addresses.
    pub cimd_private_hosts: Vec<String>,
    /// A file with certificates (PEM) that are trusted for them beside the system's.
    pub cimd_ca_file: Option<PathBuf>,
}

impl Default for OAuth {
    fn default() -> Self {
        Self { refresh_grace: 60, cimd: None, cimd_private_hosts: Vec::new(), cimd_ca_file: None }
    }
}

/// `[oidc]`: an OpenID provider at which people may sign in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Oidc {
    /// Its issuer identifier, to the letter. Left out: there is none.
    pub issuer: Option<String>,
    /// What people know it as. Left out: the issuer's host.
    pub name: Option<String>,
    /// What Stoa is called there.
    pub client_id: String,
    /// What Stoa proves itself with there. Left out: it is a public client.
    pub client_secret: Option<Secret>,
    /// Whether an address that the provider has verified is enough to be the account with that address.
    pub link_by_email: bool,
    /// Domains whose verified addresses are given an account as members of the workspace `default`.
    pub allowed_domains: Vec<String>,
    /// Hosts of the provider, beside the issuer's, that may have private addresses.
    pub private_hosts: Vec<String>,
    /// A file with certificates (PEM) that are trusted for it beside the system's.
    pub ca_file: Option<PathBuf>,
}

/// `[mail]`: the server that carries letters on. Without: none are sent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// `smtps://USER:PASSWORD@HOST`, or `smtp://…?tls=required` where the server speaks STARTTLS.
    pub url: Option<Secret>,
    /// Whom letters are from: `Stoa <stoa@example.org>`.
    pub from: Option<String>,
}

/// `[things]`: limits of the service things.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Things {
    /// Tool calls a minute of one installation.
    pub mcp_limit: u32,
    /// Runs an hour that one installation may start, where its grant does not say.
    pub run_budget: u32,
    /// Folders at or below which people may connect folders on the pages; none: they may connect no folder there.
    pub folder_roots: Vec<PathBuf>,
}

impl Default for Things {
    fn default() -> Self {
        Self { mcp_limit: 120, run_budget: 60, folder_roots: Vec::new() }
    }
}
