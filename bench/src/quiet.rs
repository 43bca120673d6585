//! Waiting for other work on the machine to pass: a sample taken beside it says nothing.

use std::cell::Cell;
use std::fmt;
use std::time::Duration;

use crate::Outcome;

/// How long the machine is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// The share of one core that others may use.
const SHARE: f64 = 0.15;
/// The kernel's unit of processor time, `USER_HZ` (`proc_stat(5)`).
pub const TICKS_PER_SECOND: f64 = 100.0;

/// Counts the samples, and those that were taken beside other work.
pub struct Quiet {
    /// How long is waited at most.
    patience: Duration,
    samples: Cell<u32>,
    noisy: Cell<u32>,
}

impl Quiet {
    pub const fn new(patience: Duration) -> Self {
        Self { patience, samples: Cell::new(0), noisy: Cell::new(0) }
    }

    /// Returns when the machine is quiet, or patience ends.
    pub async fn wait(&self) -> Outcome<()> {
        self.samples.set(self.samples.get() + 1);
        let looks = self.patience.as_millis() / LOOK.as_millis();
        for _ in 0..looks {
            let before = busy_ticks()?;
            tokio::time::sleep(LOOK).await;
            #[expect(clippy::cast_precision_loss, reason = "a handful of ticks")]
            let busy = (busy_ticks()? - before) as f64 / TICKS_PER_SECOND;
            if busy < SHARE * LOOK.as_secs_f64() {
                return Ok(());
            }
        }
        self.noisy.set(self.noisy.get() + 1);
        Ok(())
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} samples were taken beside other work", self.noisy.get(), self.samples.get())
    }
}

/// What all cores worked since the machine started: all times of `proc_stat(5)` but those of idling.
fn busy_ticks() -> Outcome<u64> {
    let stat = std::fs::read_to_string("/proc/stat")?;
    let fields = stat.lines().next().unwrap_or_default().split_whitespace().skip(1);
    let times: Vec<u64> = fields.take(7).map(str::parse).collect::<Result<_, _>>()?;
    let [user, nice, system, _idle, _wait, irq, soft] = times[..] else { return Err("/proc/stat".into()) };
    Ok(user + nice + system + irq + soft)
}
