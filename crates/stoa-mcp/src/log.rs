//! What a call tells its client beside the answer (`notifications/message`). MCP has deprecated this since
//! 2026-07-28: it is here for clients of the legacy era; what operators should know goes to the server's log.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// How grave a message is (RFC 5424 section 6.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For debugging.
    Debug,
    /// Usual.
    Info,
    /// Unusual.
    Notice,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
    /// A part fails.
    Critical,
    /// To be acted on at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl Level {
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The level of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| json!(level) == name)
    }
}

/// Where a call tells its client something. Cheap to clone; silent where nobody listens.
#[derive(Clone, Debug, Default)]
pub struct LogSink(Option<(Level, mpsc::Sender<Bytes>)>);

impl LogSink {
    /// A sink that drops everything.
    #[must_use]
    pub const fn silent() -> Self {
        Self(None)
    }

    /// A sink for what is at least so grave.
    pub(crate) const fn new(least: Level, events: mpsc::Sender<Bytes>) -> Self {
        Self(Some((least, events)))
    }

    /// Tells something. `logger` names who does.
    pub fn tell(&self, level: Level, logger: &str, data: &Value) {
        let Some((least, events)) = &self.0 else { return };
        if level < *least {
            return;
        }
        let params = json!({ "level": level, "logger": logger, "data": data });
        let message = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params });
        // A full queue or a client that is gone: nothing to tell anybody.
        let _ = events.try_send(message.to_string().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_grave_enough_is_told() {
        let (events, mut told) = mpsc::channel(4);
        let sink = LogSink::new(Level::named("warning").unwrap(), events);
        sink.tell(Level::Info, "test", &json!("unheard"));
        sink.tell(Level::Error, "test", &json!("heard"));
        let message: Value = serde_json::from_slice(&told.try_recv().unwrap()).unwrap();
        assert_eq!(message["params"], json!({ "level": "error", "logger": "test", "data": "heard" }));
        assert!(told.try_recv().is_err());
        assert_eq!(Level::named("loud"), None);
    }
}
