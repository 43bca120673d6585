//! The guard against a real server with TLS, on loopback.

#![cfg(test)]

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use stoa_outbound::{Lookup, Outbound, OutboundError, OutboundSettings};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
use url::Url;

const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1));
const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const LIMIT: usize = 100;

/// A server that counts who connects, and the certificate to trust.
struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    ca: Vec<u8>,
}

impl Server {
    async fn start() -> Self {
        let names = vec!["app.example".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        let ca = made.cert.pem().into_bytes();
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let tls = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        tokio::spawn(serve(listener, TlsAcceptor::from(Arc::new(tls)), connections.clone()));
        Self { address, connections, ca }
    }

    fn url(&self, host: &str, path: &str) -> Url {
        format!("https://{host}:{}{path}", self.address.port()).parse().unwrap()
    }

    /// A guard that trusts the server, for which this host may be private.
    fn outbound(&self, private_host: Option<&str>, names: Names) -> Outbound {
        let settings = OutboundSettings {
            private_hosts: private_host.into_iter().map(str::to_owned).collect(),
            extra_ca: Some(self.ca.clone()),
            timeout: Duration::from_millis(500),
            ..OutboundSettings::default()
        };
        Outbound::with_lookup(&settings, Arc::new(names)).unwrap()
    }
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, connections: Arc<AtomicUsize>) {
    while let Ok((socket, _)) = listener.accept().await {
        connections.fetch_add(1, Ordering::SeqCst);
        let tls = tls.clone();
        tokio::spawn(async move {
            let Ok(stream) = tls.accept(socket).await else { return };
            let server = auto::Builder::new(TokioExecutor::new());
            let _closed = server.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
        });
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (status, body) = match request.uri().path() {
        "/document" => (StatusCode::OK, "x".repeat(LIMIT)),
        "/large" => (StatusCode::OK, "x".repeat(LIMIT + 1)),
        "/moved" => (StatusCode::FOUND, String::new()),
        "/slow" => {
            tokio::time::sleep(Duration::from_mins(1)).await;
            (StatusCode::OK, String::new())
        }
        _ => (StatusCode::NOT_FOUND, String::new()),
    };
    let response = Response::builder().status(status).header("content-type", "application/json");
    Ok(response.header("location", "/document").body(Full::from(body)).unwrap())
}

/// What names resolve to: each time the next of a list, the last one for good.
#[derive(Default)]
struct Names(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl Names {
    fn of(host: &str, answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        Self(Mutex::new(HashMap::from([(host.to_owned(), answers)])))
    }
}

impl Lookup for Names {
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let mut names = self.0.lock().unwrap();
        let found = names
            .get_mut(host)
            .map(|answers| if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() });
        Box::pin(async move { found.ok_or_else(|| std::io::Error::other("no such name")) })
    }
}

#[tokio::test]
async fn a_document_is_read_to_the_limit_from_a_host_that_may_be_private() {
    let server = Server::start().await;
    let outbound = server.outbound(Some("app.example"), Names::of("app.example", &[&[LOOPBACK]]));
    let page = outbound.get(&server.url("app.example", "/document"), LIMIT).await.unwrap();
    assert_eq!((page.bytes.len(), page.content_type.as_deref()), (LIMIT, Some("application/json")));
    let large = outbound.get(&server.url("app.example", "/large"), LIMIT).await;
    assert!(matches!(large, Err(OutboundError::TooLarge(LIMIT))), "{large:?}");
    let outbound = server.outbound(Some("127.0.0.1"), Names::default());
    outbound.get(&server.url("127.0.0.1", "/document"), LIMIT).await.unwrap();
}

#[tokio::test]
async fn redirects_errors_and_slowness_end_it() {
    let server = Server::start().await;
    let outbound = server.outbound(Some("app.example"), Names::of("app.example", &[&[LOOPBACK]]));
    let get = async |path: &str| outbound.get(&server.url("app.example", path), LIMIT).await;
    assert!(matches!(get("/moved").await, Err(OutboundError::Redirects)));
    assert!(matches!(get("/nowhere").await, Err(OutboundError::Status(404))));
    assert!(matches!(get("/slow").await, Err(OutboundError::TimedOut)));
}

#[tokio::test]
async fn a_private_address_is_never_connected_to_by_name_or_by_number() {
    let server = Server::start().await;
    let mapped = LOOPBACK.to_string().parse::<Ipv4Addr>().unwrap().to_ipv6_mapped().into();
    for addresses in [&[LOOPBACK][..], &[PUBLIC, LOOPBACK], &[LOOPBACK, PUBLIC], &[mapped]] {
        let outbound = server.outbound(None, Names::of("app.example", &[addresses]));
        let refused = outbound.get(&server.url("app.example", "/document"), LIMIT).await;
        assert!(matches!(refused, Err(OutboundError::NotPublic(_))), "{refused:?}");
    }
    let outbound = server.outbound(Some("app.example"), Names::default());
    for host in ["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"] {
        let refused = outbound.get(&server.url(host, "/document"), LIMIT).await;
        assert!(matches!(refused, Err(OutboundError::NotPublic(_))), "{host}: {refused:?}");
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_name_that_resolves_otherwise_a_moment_later_gains_nothing() {
    let server = Server::start().await;
    // What was public when somebody looked is loopback when the connection is made.
    let names = Names::of("app.example", &[&[PUBLIC], &[LOOPBACK]]);
    assert_eq!(names.lookup("app.example").await.unwrap(), [PUBLIC]);
    let outbound = server.outbound(None, names);
    for _ in 0..3 {
        let refused = outbound.get(&server.url("app.example", "/document"), LIMIT).await;
        assert!(matches!(refused, Err(OutboundError::NotPublic(_))), "{refused:?}");
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn only_https_without_a_user_name_is_read() {
    let server = Server::start().await;
    let outbound = server.outbound(Some("app.example"), Names::of("app.example", &[&[LOOPBACK]]));
    for url in [
        "http://app.example/",
        "ftp://app.example/",
        "file:///etc/passwd",
        "https://user@app.example/",
        "https://:pass@app.example/",
        "data:text/plain,x",
    ] {
        let refused = outbound.get(&url.parse().unwrap(), LIMIT).await;
        assert!(matches!(refused, Err(OutboundError::Url)), "{url}: {refused:?}");
    }
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_and_a_name_that_nobody_has_are_not_reached() {
    let (server, other) = (Server::start().await, Server::start().await);
    let outbound = other.outbound(Some("app.example"), Names::of("app.example", &[&[LOOPBACK]]));
    let refused = outbound.get(&server.url("app.example", "/document"), LIMIT).await;
    assert!(matches!(refused, Err(OutboundError::Unreachable(_))), "{refused:?}");
    let refused = outbound.get(&server.url("nobody.example", "/document"), LIMIT).await;
    assert!(matches!(refused, Err(OutboundError::Unreachable(_))), "{refused:?}");
}
