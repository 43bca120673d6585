//! HTTP over the connections of one listener.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::tls::Tls;

/// How long a connection may be idle between requests, or take to send the head of a later one. Clients keep
/// connections over minutes of thinking; a shorter time would cut the request that they send next.
const IDLE: Duration = Duration::from_mins(5);
/// How long a new connection may take to send the head of its first request: whoever connects has something to
/// ask, and one that never does only takes room.
const FIRST_REQUEST: Duration = Duration::from_secs(30);
/// File descriptors kept for what is no connection: database, files of a sync, workers.
const RESERVED: u64 = 512;
/// Connections where the system sets no limit.
const MOST: u64 = 100_000;
/// How long requests under way are waited for after the stop.
const GRACE: Duration = Duration::from_secs(30);
/// The rest after a failed accept: out of file descriptors is a state that passes.
const REST: Duration = Duration::from_secs(1);

/// How many connections there may be, and how long one may stay silent.
#[derive(Clone, Debug)]
pub struct Bounds {
    free: Arc<Semaphore>,
    patience: Patience,
}

/// How long a connection may stay silent.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Before its first request.
    first_request: Duration,
    /// Between requests.
    idle: Duration,
}

impl Bounds {
    /// As many connections as the system allows this process, whose limit is raised as far as it may be.
    #[must_use]
    pub fn of_system() -> Self {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: maximum, maximum };
        let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { maximum } else { current };
        let most = allowed.unwrap_or(MOST).min(MOST);
        Self::new(most.saturating_sub(RESERVED).max(most / 2), FIRST_REQUEST)
    }

    fn new(most: u64, first_request: Duration) -> Self {
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(most)), patience: Patience { first_request, idle: IDLE } }
    }
}

/// What is behind a listener.
#[derive(Clone, Debug)]
pub struct Door {
    /// Who answers.
    pub router: Router,
    /// How connections are encrypted; `None`: not at all.
    pub tls: Option<Tls>,
}

/// Serves `door` until `stop`, then accepts nothing more and ends when the requests under way are answered.
/// Each request carries the peer's address as [`ConnectInfo`]. Beyond the bounds a client waits to be accepted.
pub async fn serve(listener: TcpListener, door: Door, bounds: Bounds, stop: CancellationToken) {
    let open = GracefulShutdown::new();
    while let Some(accepted) = stop.run_until_cancelled(accept(&listener, &bounds)).await {
        match accepted {
            Ok((permit, (stream, peer))) => {
                let accepted = Accepted { stream, peer, permit, patience: bounds.patience };
                accepted.carry(door.clone(), open.watcher(), stop.clone());
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(GRACE, open.shutdown()).await.is_err() {
        tracing::warn!(seconds = GRACE.as_secs(), "requests were still under way at the stop");
    }
}

async fn accept(
    listener: &TcpListener,
    bounds: &Bounds,
) -> std::io::Result<(OwnedSemaphorePermit, (TcpStream, SocketAddr))> {
    let permit = bounds.free.clone().acquire_owned().await.map_err(std::io::Error::other)?;
    Ok((permit, listener.accept().await?))
}

/// A connection, and its place among those that may be open.
struct Accepted {
    stream: TcpStream,
    peer: SocketAddr,
    permit: OwnedSemaphorePermit,
    patience: Patience,
}

impl Accepted {
    /// Carries it to its end in a task of its own. A handshake under way at the stop is nobody's request: it is not
    /// waited for.
    fn carry(self, door: Door, open: Watcher, stop: CancellationToken) {
        let Self { stream, peer, permit, patience } = self;
        // Answers are small and whole: waiting to fill a packet only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY");
        }
        let spoken = Spoken { peer, permit, patience, router: door.router };
        let Some(tls) = door.tls else {
            tokio::spawn(spoken.over(stream, open));
            return;
        };
        tokio::spawn(async move {
            if let Some(Some(stream)) = stop.run_until_cancelled(tls.greet(stream)).await {
                spoken.over(stream, open).await;
            }
        });
    }
}

/// What is needed to speak HTTP over a connection.
struct Spoken {
    peer: SocketAddr,
    permit: OwnedSemaphorePermit,
    patience: Patience,
    router: Router,
}

impl Spoken {
    /// Speaks over a stream until it ends. What is held meanwhile is held ten thousand times over: only the
    /// connection itself, not what it was made with.
    fn over<S>(self, stream: S, open: Watcher) -> impl Future<Output = ()> + Send + use<S>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let Self { peer, permit, patience, router } = self;
        let spoke = CancellationToken::new();
        let heard = spoke.clone();
        let service = hyper::service::service_fn(move |request: http::Request<hyper::body::Incoming>| {
            heard.cancel();
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().oneshot(request)
        });
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(patience.idle);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(patience.idle);
        let connection = open.watch(builder.serve_connection(TokioIo::new(stream), service).into_owned());
        async move {
            let _place = permit;
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = silence(&spoke, patience.first_request) => tracing::debug!("a connection never asked anything"),
            }
        }
    }
}

/// Ends when nothing was asked in that time.
async fn silence(spoke: &CancellationToken, patience: Duration) {
    if tokio::time::timeout(patience, spoke.cancelled()).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const ASKING: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

    async fn served(bounds: Bounds) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "here"));
        let door = Door { router, tls: None };
        tokio::spawn(serve(listener, door, bounds, CancellationToken::new()));
        address
    }

    async fn answer(stream: &mut TcpStream) -> String {
        stream.write_all(ASKING).await.unwrap();
        let mut answer = [0; 512];
        let read = stream.read(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer[..read]).into_owned()
    }

    #[tokio::test]
    async fn a_connection_that_never_asks_is_closed_and_one_that_asked_is_kept() {
        let address = served(Bounds::new(10, Duration::from_millis(100))).await;
        let mut talking = TcpStream::connect(address).await.unwrap();
        assert!(answer(&mut talking).await.ends_with("here"));
        for sent in [&b""[..], b"GET / HTTP/1.1\r\nhost: loc"] {
            let mut silent = TcpStream::connect(address).await.unwrap();
            silent.write_all(sent).await.unwrap();
            assert_eq!(silent.read(&mut [0; 16]).await.unwrap(), 0, "closed");
        }
        assert!(answer(&mut talking).await.ends_with("here"));
    }

    #[tokio::test]
    async fn beyond_the_bound_a_client_waits_until_another_has_gone() {
        let address = served(Bounds::new(1, FIRST_REQUEST)).await;
        let mut first = TcpStream::connect(address).await.unwrap();
        assert!(answer(&mut first).await.ends_with("here"));
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(ASKING).await.unwrap();
        let waiting = tokio::time::timeout(Duration::from_millis(100), second.read_u8()).await;
        assert!(waiting.is_err(), "not accepted yet");
        drop(first);
        assert_eq!(second.read_u8().await.unwrap(), b'H');
    }

    /// A client thinks for minutes and then asks over the connection that it has: what a server closes after seconds
    /// meets the request on its way.
    #[tokio::test]
    async fn row_24_an_idle_connection_is_closed_when_its_minutes_are_over_and_not_before() {
        const { assert!(IDLE.as_secs() >= 120) };
        let idle = Duration::from_secs(2);
        let mut bounds = Bounds::new(10, Duration::from_millis(100));
        bounds.patience.idle = idle;
        let address = served(bounds).await;
        let mut thinking = TcpStream::connect(address).await.unwrap();
        // The patience with a first request is over long before the next.
        for _ in 0..2 {
            assert!(answer(&mut thinking).await.ends_with("here"));
            tokio::time::sleep(idle / 2).await;
        }
        assert!(answer(&mut thinking).await.ends_with("here"));
        let early = tokio::time::timeout(idle / 2, thinking.read_u8()).await;
        assert!(early.is_err(), "still open");
        assert_eq!(thinking.read(&mut [0; 16]).await.unwrap(), 0, "closed in the end");
    }
}
