//! When to stop.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop a server: SIGTERM (a supervisor's) and SIGINT (Ctrl-C).
#[derive(Debug)]
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// From now on these signals are heard here, instead of ending the process at once.
    ///
    /// # Errors
    /// What the operating system said.
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// The next of them.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
