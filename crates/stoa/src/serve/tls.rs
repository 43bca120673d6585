//! TLS on the connections: the certificate, read again when it was renewed, and the handshake.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error as RustlsError, InconsistentKeys, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;

use crate::config::CertificateFiles;

/// How often the files are read again. Reading both is cheaper than to be misled by their times.
const ROUND: Duration = Duration::from_mins(1);
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// What is spoken inside, the better first (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];
/// The answer to one who speaks plain HTTP here: most likely a person who typed the address.
const PLAIN: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 43\r\nconnection: close\r\n\r\nThis port speaks https: begin with https://";

/// The certificate can't be served.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{path} can't be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file is no PEM.
    #[error("{path} is no PEM file: {source}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PemError,
    },
    /// There is no certificate in the file.
    #[error("{0} holds no certificate: give the whole chain as PEM, such as certbot's fullchain.pem")]
    NoCertificate(PathBuf),
    /// There is no key in the file.
    #[error("{0} holds no private key: give it as PEM, without a passphrase")]
    NoKey(PathBuf),
    /// The two don't belong together.
    #[error("the certificate in {cert} was made for another key than the one in {key}")]
    Mismatch {
        /// The certificate's file.
        cert: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// They are of a kind that can't be served.
    #[error("the certificate in {cert} with the key in {key} can't be served: {source}")]
    Unusable {
        /// The certificate's file.
        cert: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What is wrong with them.
        source: RustlsError,
    },
    /// The protocol can't be spoken at all.
    #[error("TLS can't be spoken: {0}")]
    Protocol(RustlsError),
}

/// How connections are encrypted.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    served: Arc<Served>,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tls").field(&self.served.files).finish()
    }
}

impl Tls {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    /// [`TlsError`] names the file and what is wrong with it.
    pub fn load(files: CertificateFiles) -> Result<Self, TlsError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let now = RwLock::new(Arc::new(read(&files, &provider)?));
        let served = Arc::new(Served { files, provider: provider.clone(), now });
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Protocol)?
            .with_no_client_auth()
            .with_cert_resolver(served.clone());
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), served })
    }

    /// The handshake with a client; `None` when it came to nothing in its time. Who speaks plain HTTP is told so.
    pub async fn greet(&self, mut stream: TcpStream) -> Option<TlsStream<TcpStream>> {
        let greeting = async {
            if is_plain(&stream).await? {
                refuse_plain(&mut stream).await?;
                return Ok(None);
            }
            self.acceptor.accept(stream).await.map(Some)
        };
        match tokio::time::timeout(HANDSHAKE, greeting).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => {
                tracing::debug!(%error, "a handshake failed");
                None
            }
            Err(_) => {
                tracing::debug!("a handshake took too long");
                None
            }
        }
    }

    /// Reads the files again each minute, and at once on SIGHUP, until `stop`. Connections that are open stay as
    /// they are; a certificate that can't be served leaves the one that is.
    pub async fn keep_fresh(self, stop: CancellationToken) {
        let mut hangup = match signal(SignalKind::hangup()) {
            Ok(hangup) => hangup,
            Err(error) => {
                tracing::warn!(%error, "SIGHUP can't be heard; a renewed certificate is served only after a restart");
                return;
            }
        };
        let mut rounds = tokio::time::interval(ROUND);
        loop {
            let due = async {
                tokio::select! {
                    _ = rounds.tick() => {}
                    _ = hangup.recv() => {}
                }
            };
            if stop.run_until_cancelled(due).await.is_none() {
                return;
            }
            self.served.look();
        }
    }
}

/// The certificate that is served, and where it is from.
#[derive(Debug)]
struct Served {
    files: CertificateFiles,
    provider: Arc<CryptoProvider>,
    now: RwLock<Arc<CertifiedKey>>,
}

impl Served {
    fn now(&self) -> Arc<CertifiedKey> {
        self.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Serves what the files hold now. Half of a renewal is no error that lasts: the other half is found next time.
    fn look(&self) {
        let cert = self.files.cert.display();
        match self.renew() {
            Ok(true) => tracing::info!(%cert, "a renewed certificate is served"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the certificate of before is served on"),
        }
    }

    /// Serves what the files hold now, and tells whether that is another certificate.
    fn renew(&self) -> Result<bool, TlsError> {
        let found = read(&self.files, &self.provider)?;
        let is_other = found.cert != self.now().cert;
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(found);
        Ok(is_other)
    }
}

impl ResolvesServerCert for Served {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.now())
    }
}

fn read(files: &CertificateFiles, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
    let CertificateFiles { cert, key } = files;
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_slice_iter(&bytes(cert)?).collect::<Result<_, _>>().map_err(malformed(cert))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(cert.clone()));
    }
    let private = match PrivateKeyDer::from_pem_slice(&bytes(key)?) {
        Err(PemError::NoItemsFound) => return Err(TlsError::NoKey(key.clone())),
        read => read.map_err(malformed(key))?,
    };
    CertifiedKey::from_der(chain, private, provider).map_err(|error| match error {
        RustlsError::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
            TlsError::Mismatch { cert: cert.clone(), key: key.clone() }
        }
        source => TlsError::Unusable { cert: cert.clone(), key: key.clone(), source },
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|source| TlsError::Unreadable { path: path.to_owned(), source })
}

fn malformed(path: &Path) -> impl FnOnce(PemError) -> TlsError {
    move |source| TlsError::Malformed { path: path.to_owned(), source }
}

/// Whether the first byte is a letter, as of `GET`: a handshake begins with 22 (RFC 8446 section 5.1).
async fn is_plain(stream: &TcpStream) -> std::io::Result<bool> {
    let mut first = [0];
    Ok(stream.peek(&mut first).await? == 1 && first[0].is_ascii_uppercase())
}

async fn refuse_plain(stream: &mut TcpStream) -> std::io::Result<()> {
    // What was not read when a connection is closed takes the answer along.
    let _asked = stream.read(&mut [0; 4096]).await?;
    stream.write_all(PLAIN).await?;
    stream.shutdown().await
}
