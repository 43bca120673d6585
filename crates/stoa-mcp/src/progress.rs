//! Progress of a call (`notifications/progress`), and the end of its waits.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use stoa_base::{Ambient, Timestamp};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// At most ten notifications a second.
const PAUSE: Duration = Duration::from_millis(100);
/// Notifications that wait for a slow client; more are dropped, as the next one says more.
const QUEUE: usize = 16;

/// Where the notifications of one call go, and where they come out: whole JSON-RPC messages.
pub(crate) fn channel() -> (mpsc::Sender<Bytes>, Events) {
    mpsc::channel(QUEUE)
}

/// Where a call tells how far it is. Cheap to clone; silent where the client gave no progress token.
#[derive(Clone, Debug, Default)]
pub struct ProgressSink(Option<Arc<Reporter>>);

#[derive(Debug)]
struct Reporter {
    token: Box<RawValue>,
    ambient: Ambient,
    last: Mutex<Option<(f64, Timestamp)>>,
    events: mpsc::Sender<Bytes>,
}

/// The receiving end of [`channel`].
pub(crate) type Events = mpsc::Receiver<Bytes>;

impl ProgressSink {
    /// A sink that drops everything: a client that didn't ask, the command line, tests.
    #[must_use]
    pub const fn silent() -> Self {
        Self(None)
    }

    /// A sink for the client's token.
    pub(crate) fn new(token: Box<RawValue>, ambient: Ambient, events: mpsc::Sender<Bytes>) -> Self {
        Self(Some(Arc::new(Reporter { token, ambient, last: Mutex::new(None), events })))
    }

    /// Says how far the call is. `done` must grow: what does not grow, or follows within 100 ms, is dropped.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(reporter) = &self.0
            && reporter.is_news(done)
        {
            // A full queue or a client that is gone: nothing to tell anybody.
            let _ = reporter.events.try_send(reporter.notification(done, total, message));
        }
    }
}

impl Reporter {
    fn is_news(&self, done: f64) -> bool {
        let now = self.ambient.now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let grows = last.is_none_or(|(before, at)| done > before && now.since(at) >= PAUSE);
        let news = grows && done.is_finite();
        if news {
            *last = Some((done, now));
        }
        news
    }

    fn notification(&self, done: f64, total: Option<f64>, message: Option<&str>) -> Bytes {
        let params = Params { progress_token: &self.token, progress: done, total, message };
        let notification = Notification { jsonrpc: "2.0", method: "notifications/progress", params };
        serde_json::to_vec(&notification).map(Bytes::from).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Notification<'a> {
    jsonrpc: &'static str,
    method: &'static str,
    params: Params<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a RawValue,
    progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

/// Tells a wait when to end: the client is gone or took its request back (legacy era), or the node stops.
/// Work does not look at it. A call of the modern era whose client goes away is dropped instead.
#[derive(Clone, Debug)]
pub struct WaitEnd {
    request: CancellationToken,
    node: CancellationToken,
}

impl WaitEnd {
    /// The end that comes with either token.
    #[must_use]
    pub const fn new(request: CancellationToken, node: CancellationToken) -> Self {
        Self { request, node }
    }

    /// An end that never comes: the command line, tests.
    #[must_use]
    pub fn never() -> Self {
        Self::new(CancellationToken::new(), CancellationToken::new())
    }

    /// Waits for it.
    pub async fn come(&self) {
        tokio::select! {
            () = self.request.cancelled() => (),
            () = self.node.cancelled() => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn only_news_is_told_at_most_ten_times_a_second_and_never_waits_for_a_slow_client() {
        let (ambient, clock) = stoa_testing::manual_time();
        let token = RawValue::from_string("7".to_owned()).unwrap();
        let (sender, mut events) = channel();
        let sink = ProgressSink::new(token, ambient, sender);
        for done in [1.0, 2.0] {
            sink.report(done, None, None);
        }
        for done in [1.0, f64::NAN, 3.0] {
            clock.advance(PAUSE);
            sink.report(done, None, None);
        }
        let told = [events.try_recv().unwrap(), events.try_recv().unwrap()];
        let expected = |done: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":7,"progress":{done}}}}}"#
            )
        };
        assert_eq!(
            told.map(|it| String::from_utf8(it.to_vec()).unwrap()),
            [expected("1.0"), expected("3.0")]
        );
        assert!(events.try_recv().is_err());
        for done in 4..100 {
            clock.advance(PAUSE);
            sink.report(f64::from(done), None, None);
        }
        drop(events);
        sink.report(1000.0, None, None);
    }

    #[tokio::test]
    async fn a_wait_ends_with_its_request_or_its_node() {
        let (request, node) = (CancellationToken::new(), CancellationToken::new());
        let end = WaitEnd::new(request.clone(), node.clone());
        assert!(end.come().now_or_never().is_none() && WaitEnd::never().come().now_or_never().is_none());
        request.cancel();
        end.come().await;
        let end = WaitEnd::new(CancellationToken::new(), node.clone());
        node.cancel();
        end.come().await;
    }
}
