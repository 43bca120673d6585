//! The heartbeat of one run, in a task of its own: a work that is busy for long still keeps its lease.

use std::time::Duration;

use stoa_base::{Ambient, Timestamp};
use stoa_store::{Database, StoreError};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::hold::{Hold, LEASE};
use crate::running::Signal;
use crate::{Progress, RUNS};

/// How often new progress is written.
const TICK: Duration = Duration::from_millis(500);
/// Ticks after which the lease is renewed without any: 5 seconds.
const QUIET_TICKS: u32 = 10;

/// Renews the lease, shows progress, and tells the work what happens outside.
pub(crate) struct Keeper {
    pub(crate) db: Database,
    pub(crate) ambient: Ambient,
    pub(crate) hold: Hold,
    pub(crate) progress: watch::Receiver<Progress>,
    pub(crate) signal: watch::Sender<Signal>,
    pub(crate) stop: CancellationToken,
}

impl Keeper {
    /// Keeps the run until it is lost (or this task is dropped, once the run's end is written).
    pub(crate) async fn keep(mut self) {
        let mut bell = self.db.wakeups().subscribe(RUNS);
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut until = self.ambient.now().plus(LEASE);
        let mut quiet = 0;
        // The bell may have rung before it was listened to.
        self.look(until).await;
        while *self.signal.borrow() != Signal::Lost {
            tokio::select! {
                _ = tick.tick() => {
                    quiet += 1;
                    if quiet >= QUIET_TICKS || self.progress.has_changed().unwrap_or(false) {
                        quiet = 0;
                        until = self.beat(until).await;
                    }
                }
                Ok(()) = bell.changed() => self.look(until).await,
                () = self.stop.cancelled(), if *self.signal.borrow() < Signal::NodeStops => {
                    self.raise(Signal::NodeStops);
                }
            }
        }
    }

    /// Renews the lease; answers until when it is ours.
    async fn beat(&mut self, until: Timestamp) -> Timestamp {
        let now = self.ambient.now();
        let progress = *self.progress.borrow_and_update();
        let beaten = self.write(now, progress).await;
        let renewed = beaten.is_ok();
        self.heed(beaten, until);
        if renewed { now.plus(LEASE) } else { until }
    }

    async fn write(&self, now: Timestamp, progress: Progress) -> Result<Option<bool>, StoreError> {
        let mut tx = self.db.begin().await?;
        let cancel = self.hold.beat(&mut tx, now, progress).await?;
        tx.commit().await?;
        Ok(cancel)
    }

    async fn look(&self, until: Timestamp) {
        self.heed(self.hold.look(&self.db).await, until);
    }

    /// Passes on what the database said of the run: ours or not, asked to stop or not. While it says
    /// nothing, the run is ours until the lease lapses.
    fn heed(&self, said: Result<Option<bool>, StoreError>, until: Timestamp) {
        match said {
            Ok(None) => self.raise(Signal::Lost),
            Ok(Some(true)) => self.raise(Signal::Cancel),
            Ok(Some(false)) => {}
            Err(error) => {
                tracing::warn!(run = %self.hold.run, %error, "the lease of a run could not be renewed");
                if self.ambient.now() >= until {
                    self.raise(Signal::Lost);
                }
            }
        }
    }

    fn raise(&self, signal: Signal) {
        self.signal.send_if_modified(|now| {
            let raised = signal > *now;
            *now = signal.max(*now);
            raised
        });
    }
}
