//! How an answer travels: as one JSON document, or as a stream of events (SSE) where there is progress to tell
//! or the call takes long.
//!
//! The work lives in the response. When a client of the modern era goes away, hyper drops the response, and
//! with it the work, wherever it waits. Work of the legacy era is a task of its own that the response waits for.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{Stream, StreamExt, stream};
use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::progress::Events;
use crate::rpc::Reply;

/// A call on its way to its answer.
pub(crate) type Work = BoxFuture<'static, Reply>;

/// Keeps nginx from holding events back.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// An SSE comment: shows that the stream is alive, and means nothing.
pub(crate) const ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// When an answer may become a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streaming {
    /// Whether the client takes one.
    pub accepted: bool,
    /// After how long a call becomes one without progress.
    pub after: Duration,
    /// How often it shows that it is alive.
    pub keep_alive: Duration,
}

/// One JSON document.
pub(crate) fn json(reply: Reply) -> Response {
    (reply.status, [(CONTENT_TYPE, "application/json")], reply.body).into_response()
}

/// Waits for the work; becomes a stream at its first notification, or when it takes long.
pub(crate) async fn respond(mut work: Work, mut events: Option<Events>, streaming: Streaming) -> Response {
    if !streaming.accepted {
        return json(work.await);
    }
    let first = tokio::select! {
        biased;
        Some(event) = next(&mut events) => framed(&event),
        reply = &mut work => return json(reply),
        () = tokio::time::sleep(streaming.after) => ALIVE,
    };
    stream(first, Open { work, events, keep_alive: streaming.keep_alive })
}

/// A stream under way.
struct Open {
    work: Work,
    events: Option<Events>,
    keep_alive: Duration,
}

fn stream(first: Bytes, open: Open) -> Response {
    let events = stream::unfold((Some(first), Some(open)), |(first, open)| async {
        match first {
            Some(event) => Some((event, (None, open))),
            None => open?.next().await.map(|(event, open)| (event, (None, open))),
        }
    });
    event_stream(events)
}

/// The response whose body is these events, framed already.
pub(crate) fn event_stream(events: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let body = Body::from_stream(events.map(Ok::<_, Infallible>));
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store"), (ACCEL_BUFFERING, "no")];
    (headers, body).into_response()
}

impl Open {
    /// The next event; the answer is the last.
    async fn next(mut self) -> Option<(Bytes, Option<Self>)> {
        tokio::select! {
            biased;
            Some(event) = next(&mut self.events) => Some((framed(&event), Some(self))),
            reply = &mut self.work => Some((framed(&reply.body), None)),
            () = tokio::time::sleep(self.keep_alive) => Some((ALIVE, Some(self))),
        }
    }
}

async fn next(events: &mut Option<Events>) -> Option<Bytes> {
    match events {
        Some(events) => events.recv().await,
        None => None,
    }
}

/// One event. JSON as serde writes it has no line breaks.
pub(crate) fn framed(json: &Bytes) -> Bytes {
    [b"event: message\ndata: ".as_slice(), json, b"\n\n"].concat().into()
}
