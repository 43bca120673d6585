//! HTTP over the connections of one listener.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// How long a connection may be idle, or take to send the head of a request. Clients keep connections over
/// minutes of thinking; a shorter time would cut the request that they send next.
const IDLE: Duration = Duration::from_mins(5);
/// How long requests under way are waited for after the stop.
const GRACE: Duration = Duration::from_secs(30);
/// The rest after a failed accept: out of file descriptors is a state that passes.
const REST: Duration = Duration::from_secs(1);

/// Serves `router` until `stop`, then accepts nothing more and ends when the requests under way are answered.
/// Each request carries the peer's address as [`ConnectInfo`].
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let open = GracefulShutdown::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, peer)) => carry(stream, peer, router.clone(), &open),
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

fn carry(stream: TcpStream, peer: SocketAddr, router: Router, open: &GracefulShutdown) {
    // Answers are small and whole: waiting to fill a packet only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY");
    }
    let service = hyper::service::service_fn(move |request: http::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(IDLE);
    let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    let connection = open.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}
