//! What an operator may set, and where it comes from.
//!
//! A value is taken from the command line, else from the environment, else from `stoa.toml`, else it is the
//! default. The file is `stoa.toml` in the working folder, or the one that `STOA_CONFIG` names. Each key can
//! be set in the environment as `STOA_` and its path in capitals, `__` between tables
//! (`STOA_FLOOD__PER_SECOND`); lists are separated by commas. Only `hosts`, whose keys are host names, is in the
//! file alone.

pub mod environment;
pub mod tables;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use stoa_store::DatabaseUrl;

pub use environment::Environment;
pub use tables::{Blobs, CertificateFiles, Flood, HostMount, Log, LogFormat, Mail, OAuth, Oidc, Things, Tls};

/// The port that is served when nothing else is said.
const PORT: u16 = 8787;
/// The file that is read when `STOA_CONFIG` names no other.
const FILE: &str = "stoa.toml";

/// The configuration of one process.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The folder of the database, the blobs and the secret key.
    pub data: PathBuf,
    /// Addresses to listen on. Empty stands for `127.0.0.1:8787` and `[::1]:8787`.
    listen: Vec<SocketAddr>,
    /// The URL under which people and agents reach the server: scheme and host, no path.
    public_url: Option<String>,
    /// `sqlite:PATH` or `postgres://…`. Left out: SQLite in the data folder.
    database_url: Option<Secret>,
    /// The secret key. Left out: `secret.key` in the data folder.
    secret_key_file: Option<PathBuf>,
    /// Addresses or networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<String>,
    /// Services at hosts of their own, by host name.
    pub hosts: BTreeMap<String, HostMount>,
    /// The certificate that is served.
    tls: Tls,
    /// Where bytes are kept.
    pub blobs: Blobs,
    /// What is logged, and how.
    pub log: Log,
    /// The flood limit.
    pub flood: Flood,
    /// The authorization server.
    pub oauth: OAuth,
    /// An OpenID provider at which people may sign in.
    pub oidc: Oidc,
    /// The server that carries letters on.
    mail: Mail,
    /// The service things.
    pub things: Things,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data: PathBuf::from(DEFAULT_DATA),
            listen: Vec::new(),
            public_url: None,
            database_url: None,
            secret_key_file: None,
            trusted_proxies: Vec::new(),
            hosts: BTreeMap::new(),
            tls: Tls::default(),
            blobs: Blobs::default(),
            log: Log::default(),
            flood: Flood::default(),
            oauth: OAuth::default(),
            oidc: Oidc::default(),
            mail: Mail::default(),
            things: Things::default(),
        }
    }
}

/// A value that is never shown: a key, or a database URL, which may hold a password.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The value itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--data`.
    pub data: Option<PathBuf>,
    /// `--database-url`.
    pub database_url: Option<String>,
    /// `--listen`, each of them.
    pub listen: Vec<SocketAddr>,
    /// `--public-url`.
    pub public_url: Option<String>,
    /// `--tls-cert`.
    pub tls_cert: Option<PathBuf>,
    /// `--tls-key`.
    pub tls_key: Option<PathBuf>,
}

/// The configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("{path} can't be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file holds what Stoa does not know, or not in the shape it needs.
    #[error("{path}, line {line}: {message}")]
    File {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A variable's text is not what its key takes.
    #[error("{name} in the environment: expected {expected}, found {found:?}")]
    Variable {
        /// The variable.
        name: String,
        /// The kind of value its key takes.
        expected: &'static str,
        /// Its text.
        found: String,
    },
    /// A value from the environment has the right kind but can't be used.
    #[error("the settings in the environment can't be used: {0}")]
    Environment(String),
    /// The public URL is none.
    #[error("{0:?} is no public URL: give scheme and host only, such as https://stoa.example.com")]
    PublicUrl(String),
    /// A certificate without its key, or a key without its certificate.
    #[error("TLS takes both or neither: tls.cert and tls.key (--tls-cert and --tls-key)")]
    HalfTls,
    /// A mail server without whom letters are from, or the other way round.
    #[error("mail takes both or neither: mail.url and mail.from")]
    HalfMail,
    /// A certificate is served, but what people are told to type does not ask for it.
    #[error("a certificate is served (tls.cert), but the public URL {0} is not https")]
    PlainPublicUrl(String),
}

/// The data folder where nothing names one, in the folder in which the command is typed.
const DEFAULT_DATA: &str = "stoa-data";

impl Config {
    /// Whether the data folder is the one that is taken where nothing names one.
    #[must_use]
    pub fn is_default_data(&self) -> bool {
        self.data.as_os_str() == DEFAULT_DATA
    }

    /// Reads the configuration file and lays the environment and the flags over it.
    ///
    /// # Errors
    /// [`ConfigError`] names the file and line, the variable or the flag that can't be used.
    pub fn load(flags: &Flags, environment: &Environment) -> Result<Self, ConfigError> {
        let mut table = read_file(environment)?;
        environment.lay_over(&mut table)?;
        // What is wrong by now came from the environment. The error names the key in a line of its own.
        let wrong = |error: toml::de::Error| {
            ConfigError::Environment(error.to_string().trim_end().replace('\n', " "))
        };
        let mut config: Self = table.try_into().map_err(wrong)?;
        config.take(flags);
        config.public_url = config.public_url.as_deref().map(origin).transpose()?;
        config.check_tls()?;
        if config.mail.url.is_some() != config.mail.from.is_some() {
            return Err(ConfigError::HalfMail);
        }
        Ok(config)
    }

    fn take(&mut self, flags: &Flags) {
        if let Some(data) = &flags.data {
            self.data.clone_from(data);
        }
        if let Some(url) = &flags.database_url {
            self.database_url = Some(Secret(url.clone()));
        }
        if !flags.listen.is_empty() {
            self.listen.clone_from(&flags.listen);
        }
        if flags.public_url.is_some() {
            self.public_url.clone_from(&flags.public_url);
        }
        if flags.tls_cert.is_some() {
            self.tls.cert.clone_from(&flags.tls_cert);
        }
        if flags.tls_key.is_some() {
            self.tls.key.clone_from(&flags.tls_key);
        }
    }

    fn check_tls(&self) -> Result<(), ConfigError> {
        if self.tls.cert.is_some() != self.tls.key.is_some() {
            return Err(ConfigError::HalfTls);
        }
        match &self.public_url {
            Some(url) if self.tls.cert.is_some() && !url.starts_with("https:") => {
                Err(ConfigError::PlainPublicUrl(url.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The certificate that is served with its key; `None`: plain HTTP is spoken.
    #[must_use]
    pub fn certificate(&self) -> Option<CertificateFiles> {
        let Tls { cert, key } = self.tls.clone();
        cert.zip(key).map(|(cert, key)| CertificateFiles { cert, key })
    }

    /// The URL of the mail server, and whom letters are from; `None`: no mail is sent.
    #[must_use]
    pub fn mail(&self) -> Option<(&str, &str)> {
        self.mail.url.as_ref().map(Secret::expose).zip(self.mail.from.as_deref())
    }

    /// The addresses to listen on.
    #[must_use]
    pub fn listen(&self) -> Vec<SocketAddr> {
        if self.listen.is_empty() {
            return vec![
                SocketAddr::from(([127, 0, 0, 1], PORT)),
                SocketAddr::from(([0, 0, 0, 0, 0, 0, 0, 1], PORT)),
            ];
        }
        self.listen.clone()
    }

    /// The URL under which the server is reached, without a final slash. Where none is configured:
    /// `http://localhost` with the port that is listened on, `https` where a certificate is served.
    #[must_use]
    pub fn public_url(&self) -> String {
        let port = self.listen.first().map_or(PORT, SocketAddr::port);
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = if self.tls.cert.is_some() { "https" } else { "http" };
            format!("{scheme}://localhost:{port}")
        })
    }

    /// The address of a page that is opened with a secret. It stands behind `#`, which browsers send to no server:
    /// it is in no proxy's log and in no `Referer`.
    #[must_use]
    pub fn page(&self, name: &str, secret: &stoa_identity::SecretToken) -> String {
        format!("{}/{name}#{}", self.public_url(), secret.expose())
    }

    /// Whether the public URL is good on this machine only.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let url = self.public_url();
        url.parse::<http::Uri>().ok().is_some_and(|url| url.host().is_some_and(is_loopback))
    }

    /// Where the database is.
    ///
    /// # Errors
    /// [`stoa_store::StoreError::UnknownUrl`] when the URL is of no known kind.
    pub fn database(&self) -> Result<DatabaseUrl, stoa_store::StoreError> {
        match &self.database_url {
            Some(url) => url.expose().parse(),
            None => Ok(DatabaseUrl::Sqlite(self.data.join("stoa.db"))),
        }
    }

    /// Where the secret key is.
    #[must_use]
    pub fn secret_key_file(&self) -> PathBuf {
        self.secret_key_file.clone().unwrap_or_else(|| self.data.join("secret.key"))
    }
}

/// Whether a URL's host names this machine only.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// `text` as scheme and host without a final slash.
fn origin(text: &str) -> Result<String, ConfigError> {
    let refused = || ConfigError::PublicUrl(text.to_owned());
    let url: http::Uri = text.parse().map_err(|_| refused())?;
    let scheme = url.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https")).ok_or_else(refused)?;
    let authority =
        url.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(refused)?;
    if !matches!(url.path(), "" | "/") || url.query().is_some() {
        return Err(refused());
    }
    Ok(format!("{scheme}://{}", authority.as_str().to_ascii_lowercase()))
}

/// The file as a table, known to hold nothing unknown; empty where there is no file.
fn read_file(environment: &Environment) -> Result<toml::Table, ConfigError> {
    let named = environment.get("STOA_CONFIG");
    let path = Path::new(named.unwrap_or(FILE));
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(ConfigError::Unreadable { path: path.to_owned(), source }),
    };
    let wrong = |error: toml::de::Error| ConfigError::File {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
        message: error.message().to_owned(),
    };
    // Read as configuration before anything is laid over it, so that a mistake is told with its line.
    toml::from_str::<Config>(&text).map_err(wrong)?;
    toml::from_str(&text).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The configuration of a file with `text`, these variables and these flags.
    fn load(text: &str, variables: &[(&str, &str)], flags: &Flags) -> Result<Config, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stoa.toml");
        std::fs::write(&file, text).unwrap();
        let named = [("STOA_CONFIG", file.to_str().unwrap())];
        let all =
            named.iter().chain(variables).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::load(flags, &Environment::of(all))
    }

    #[test]
    fn flags_win_over_the_environment_and_that_over_the_file() {
        let file = "data = 'file'\npublic_url = 'http://localhost:1'\n[flood]\nper_second = 7\n";
        let variables = [("STOA_DATA", "environment"), ("STOA_PUBLIC_URL", "http://localhost:2")];
        let flags = Flags { data: Some("flag".into()), ..Flags::default() };
        let config = load(file, &variables, &flags).unwrap();
        assert_eq!(config.data, Path::new("flag"));
        assert_eq!(config.public_url(), "http://localhost:2");
        assert_eq!(config.flood.per_second.get(), 7);
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_line() {
        let error = load("data = 'x'\nlistn = ['127.0.0.1:1']\n", &[], &Flags::default()).unwrap_err();
        assert!(error.to_string().contains("line 2: unknown field `listn`"), "{error}");
        let error = load("[things]\nmcp_limits = 3\n", &[], &Flags::default()).unwrap_err();
        assert!(error.to_string().contains("line 2: unknown field `mcp_limits`"), "{error}");
    }

    #[test]
    fn lists_and_numbers_come_from_the_environment() {
        let variables = [("STOA_LISTEN", "127.0.0.1:9000, [::1]:9000"), ("STOA_THINGS__MCP_LIMIT", "5")];
        let config = load("", &variables, &Flags::default()).unwrap();
        assert_eq!(config.listen().len(), 2);
        assert_eq!(config.things.mcp_limit, 5);
        assert_eq!(config.public_url(), "http://localhost:9000");
    }

    #[test]
    fn a_variable_of_the_wrong_kind_is_refused_by_name() {
        let error = load("", &[("STOA_FLOOD__PER_SECOND", "many")], &Flags::default()).unwrap_err();
        assert!(error.to_string().starts_with("STOA_FLOOD__PER_SECOND in the environment"), "{error}");
    }

    #[test]
    fn a_value_out_of_range_in_the_environment_is_told_with_its_key() {
        let error = load("", &[("STOA_FLOOD__PER_SECOND", "0")], &Flags::default()).unwrap_err();
        assert!(error.to_string().contains("per_second"), "{error}");
    }

    #[test]
    fn a_public_url_is_scheme_and_host_only() {
        assert_eq!(origin("https://Stoa.example.com/").unwrap(), "https://stoa.example.com");
        for wrong in ["stoa.example.com", "ftp://a", "https://a/b", "https://a/?b", "https://u@a"] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_certificate_needs_its_key_and_an_https_url() {
        let refused = |file| load(file, &[], &Flags::default()).unwrap_err().to_string();
        assert!(refused("[tls]\ncert = 'c'\n").starts_with("TLS takes both or neither"));
        assert!(refused("[tls]\nkey = 'k'\n").starts_with("TLS takes both or neither"));
        let plain = refused("public_url = 'http://stoa.example.com'\n[tls]\ncert = 'c'\nkey = 'k'\n");
        assert!(plain.ends_with("the public URL http://stoa.example.com is not https"), "{plain}");

        let flags = Flags { tls_key: Some("flag".into()), ..Flags::default() };
        let config = load("[tls]\nkey = 'k'\n", &[("STOA_TLS__CERT", "variable")], &flags).unwrap();
        let files = config.certificate().unwrap();
        assert_eq!((files.cert, files.key), ("variable".into(), "flag".into()));
        assert!(load("", &[], &Flags::default()).unwrap().certificate().is_none());
    }

    #[test]
    fn with_a_certificate_the_public_url_is_https_unless_another_is_named() {
        let tls = "[tls]\ncert = 'c'\nkey = 'k'\n";
        assert_eq!(load(tls, &[], &Flags::default()).unwrap().public_url(), "https://localhost:8787");
        let flags = Flags { public_url: Some("https://a.example".into()), ..Flags::default() };
        assert_eq!(load(tls, &[], &flags).unwrap().public_url(), "https://a.example");
    }

    #[test]
    fn a_database_url_is_never_shown() {
        let flags = Flags { database_url: Some("postgres://u:hunter2@h/d".into()), ..Flags::default() };
        assert!(!format!("{:?}", load("", &[], &flags).unwrap()).contains("hunter2"));
    }

    #[test]
    fn mail_has_a_server_and_a_sender_and_the_server_is_never_shown() {
        let url = "[mail]\nurl = 'smtp://u:hunter2@h'\n";
        let refused = load(url, &[], &Flags::default()).unwrap_err().to_string();
        assert!(refused.contains("mail.url and mail.from") && !refused.contains("hunter2"), "{refused}");
        let config = load(url, &[("STOA_MAIL__FROM", "a@example.org")], &Flags::default()).unwrap();
        assert_eq!(config.mail(), Some(("smtp://u:hunter2@h", "a@example.org")));
        assert!(!format!("{config:?}").contains("hunter2"));
        assert_eq!(load("", &[], &Flags::default()).unwrap().mail(), None);
        let error = load("[mail]\nuser = 'u'\n", &[], &Flags::default()).unwrap_err();
        assert!(error.to_string().contains("line 2: unknown field `user`"), "{error}");
    }

    #[test]
    fn loopback_names_and_addresses_are_local() {
        for (url, local) in
            [("http://localhost:1", true), ("http://127.0.0.1", true), ("http://[::1]:8", true)]
                .into_iter()
                .chain([("https://stoa.example.com", false), ("http://10.0.0.1", false)])
        {
            let flags = Flags { public_url: Some(url.into()), ..Flags::default() };
            assert_eq!(load("", &[], &flags).unwrap().is_local(), local, "{url}");
        }
    }
}
