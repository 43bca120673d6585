//! What is measured of each tool's calls.

use std::time::Duration;

use metrics::{Counter, Histogram, counter, histogram};
use stoa_store::audit::Status;

/// The instruments of one tool, looked up once: whoever records metrics is installed before the assembly.
pub(crate) struct Meter {
    ok: Counter,
    denied: Counter,
    error: Counter,
    seconds: Histogram,
}

impl Meter {
    pub fn new(service: &'static str, tool: &'static str) -> Self {
        let calls = |status: &'static str| counter!("stoa_mcp_calls_total", "service" => service, "tool" => tool, "status" => status);
        Self {
            ok: calls("ok"),
            denied: calls("denied"),
            error: calls("error"),
            seconds: histogram!("stoa_mcp_call_seconds", "service" => service, "tool" => tool),
        }
    }

    /// Counts one call.
    pub fn record(&self, status: Status, lasted: Duration) {
        let counter = match status {
            Status::Ok => &self.ok,
            Status::Denied => &self.denied,
            Status::Error => &self.error,
        };
        counter.increment(1);
        self.seconds.record(lasted.as_secs_f64());
    }
}
