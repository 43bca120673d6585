//! `subscriptions/listen`: one long stream that tells a client what changes (MCP 2026-07-28, Basic, Patterns,
//! Subscriptions). Everything about it lives in the response: when the client goes away, the response is dropped,
//! and the sources, the place among the open streams and the rest with it.

pub(crate) mod open_streams;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream, SelectAll};
use serde_json::value::RawValue;
use stoa_identity::{Caller, TOKENS};
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::bearer::ShownToken;
use crate::context::Context;
use crate::endpoint::Endpoint;
use crate::respond::{ALIVE, event_stream, framed};
use crate::rpc::ServerInfo;

pub(crate) use open_streams::{OpenStreams, Place};
pub(crate) use wire::Honored;

/// How often a stream shows its token again, whether or not anything was said of tokens meanwhile.
const CHECK: Duration = Duration::from_millis(500);

/// What tells of changes: the URI of what may have changed.
pub(crate) type Changes = SelectAll<BoxStream<'static, String>>;

/// A stream under way.
struct Listening {
    endpoint: Endpoint,
    server: ServerInfo,
    id: Box<RawValue>,
    changes: Changes,
    proof: Proof,
    /// When the token is shown again, however much there is to tell meanwhile.
    checks: Interval,
    /// How long nothing was sent, counted in checks.
    quiet: Duration,
    _place: Place,
    _running: TaskTrackerToken,
}

/// What shows that the stream may go on.
struct Proof {
    caller: Arc<Caller>,
    token: ShownToken,
    rings: watch::Receiver<u64>,
}

/// What happens next on a stream.
enum Next {
    Changed(String),
    Alive,
    Stopped,
    NoLonger,
}

/// The response: the acknowledgment first, then what changes, and at a graceful end `notifications/cancelled` and the
/// result.
pub(crate) fn response(
    context: &Context,
    id: &RawValue,
    honored: &Honored,
    changes: Changes,
    place: Place,
) -> Response {
    let endpoint = context.endpoint.clone();
    let acknowledged = wire::acknowledged(id, honored);
    let proof = Proof {
        caller: context.caller.clone(),
        token: context.token.clone(),
        rings: endpoint.db().wakeups().subscribe(TOKENS),
    };
    let listening = Listening {
        server: context.listing.server,
        id: id.to_owned(),
        changes,
        proof,
        checks: checks(),
        quiet: Duration::ZERO,
        _place: place,
        _running: endpoint.running().token(),
        endpoint,
    };
    let rest = stream::unfold(Some(listening), |listening| async { listening?.next().await });
    event_stream(stream::iter([framed(&acknowledged)]).chain(rest))
}

/// What was missed while the client did not read is not caught up on.
fn checks() -> Interval {
    let mut checks = interval(CHECK);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    checks
}

impl Listening {
    /// The next event; after the last there is no stream any more.
    async fn next(mut self) -> Option<(Bytes, Option<Self>)> {
        match self.wait().await {
            Next::Changed(uri) => {
                self.quiet = Duration::ZERO;
                Some((framed(&wire::updated(&self.id, &uri)), Some(self)))
            }
            Next::Alive => Some((ALIVE, Some(self))),
            Next::Stopped => Some((self.ended("The server is stopping."), None)),
            Next::NoLonger => Some((self.ended("The token is no longer good for this."), None)),
        }
    }

    async fn wait(&mut self) -> Next {
        let stopping = self.endpoint.stopping().clone();
        loop {
            tokio::select! {
                biased;
                () = stopping.cancelled() => return Next::Stopped,
                Ok(()) = self.proof.rings.changed() => (),
                _ = self.checks.tick() => self.quiet += CHECK,
                Some(uri) = self.changes.next() => return Next::Changed(uri),
            }
            if !self.proof.holds(&self.endpoint).await {
                return Next::NoLonger;
            }
            if self.quiet >= self.endpoint.config().keep_alive {
                self.quiet = Duration::ZERO;
                return Next::Alive;
            }
        }
    }

    fn ended(&self, reason: &str) -> Bytes {
        let cancelled = framed(&wire::cancelled(&self.id, reason));
        let result = framed(&wire::result(&self.id, &self.server));
        [cancelled, result].concat().into()
    }
}

impl Proof {
    /// Whether the token still means the same caller with the same rights. Where the database can't be asked, it is
    /// asked again soon.
    async fn holds(&self, endpoint: &Endpoint) -> bool {
        let shown = endpoint.authenticator().authenticate(self.token.expose(), &self.caller.mount).await;
        match shown {
            Ok(Ok(caller)) => same_rights(&caller, &self.caller),
            Ok(Err(_)) => false,
            Err(error) => {
                tracing::warn!(%error, "the token of an open stream could not be checked");
                true
            }
        }
    }
}

fn same_rights(now: &Caller, then: &Caller) -> bool {
    now.scopes == then.scopes && now.reach == then.reach && now.role == then.role
}
