//! The policy limit: so many calls of one service in each minute of the clock, for one installation. Counted
//! in memory; where there are several nodes, [`crate::reconcile`] tells each what the others counted.

use std::time::Duration;

use dashmap::DashMap;
use stoa_base::{Ambient, InstallationId, Timestamp};

/// The length of a window.
pub(crate) const WINDOW: Duration = Duration::from_mins(1);

/// The calls of every installation, in the current minute.
#[derive(Debug)]
pub(crate) struct CallCounts {
    windows: DashMap<Key, Window>,
    ambient: Ambient,
}

/// Whose calls of what.
pub(crate) type Key = (InstallationId, &'static str);

#[derive(Clone, Copy, Debug)]
struct Window {
    start: Timestamp,
    /// Calls on this node.
    here: u32,
    /// Calls on the other nodes, as they last told.
    elsewhere: u32,
}

/// The limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OverLimit {
    pub limit: u32,
    pub used: u32,
    pub resets_at: Timestamp,
    pub retry_after_ms: u64,
}

impl CallCounts {
    pub fn new(ambient: Ambient) -> Self {
        Self { windows: DashMap::new(), ambient }
    }

    /// Counts one call, unless the limit is reached: a refused call counts nothing.
    pub fn take(&self, key: Key, limit: u32) -> Result<(), OverLimit> {
        let now = self.ambient.now();
        let mut window = self.current(key, now);
        let used = window.here.saturating_add(window.elsewhere);
        if used < limit {
            window.here += 1;
            return Ok(());
        }
        let resets_at = window.start.plus(WINDOW);
        let retry_after_ms = u64::try_from(resets_at.since(now).as_millis()).unwrap_or(u64::MAX);
        Err(OverLimit { limit, used, resets_at, retry_after_ms })
    }

    fn current(&self, key: Key, now: Timestamp) -> dashmap::mapref::one::RefMut<'_, Key, Window> {
        let start = now.floor(WINDOW);
        let mut window = self.windows.entry(key).or_insert(Window { start, here: 0, elsewhere: 0 });
        if window.start < start {
            *window = Window { start, here: 0, elsewhere: 0 };
        }
        window
    }

    /// What this node counted in the window that began at `start`.
    pub fn counted(&self, start: Timestamp) -> Vec<(Key, u32)> {
        let current = self.windows.iter().filter(|window| window.start == start && window.here > 0);
        current.map(|window| (*window.key(), window.here)).collect()
    }

    /// Takes over what the other nodes counted in the window that began at `start`.
    pub fn learn(&self, key: Key, start: Timestamp, elsewhere: u32) {
        let mut window = self.current(key, self.ambient.now());
        if window.start == start {
            window.elsewhere = elsewhere;
        }
    }

    /// Forgets windows that are over.
    pub fn sweep(&self) {
        let start = self.ambient.now().floor(WINDOW);
        self.windows.retain(|_, window| window.start >= start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_its_limit_and_a_refused_call_counts_nothing() {
        let (ambient, clock) = stoa_testing::manual_time();
        let counts = CallCounts::new(ambient.clone());
        let key = (InstallationId::new(&ambient), "things");
        clock.advance(Duration::from_millis(59_500));
        assert!(counts.take(key, 2).is_ok() && counts.take(key, 2).is_ok());
        let resets_at = stoa_testing::START.plus(WINDOW);
        let over = OverLimit { limit: 2, used: 2, resets_at, retry_after_ms: 500 };
        assert_eq!(counts.take(key, 2), Err(over));
        assert_eq!(counts.take(key, 2), Err(over));
        clock.advance(Duration::from_millis(500));
        assert!(counts.take(key, 2).is_ok());
    }

    #[test]
    fn installations_and_services_count_apart() {
        let (ambient, _clock) = stoa_testing::manual_time();
        let counts = CallCounts::new(ambient.clone());
        let (one, other) = (InstallationId::new(&ambient), InstallationId::new(&ambient));
        assert!(counts.take((one, "things"), 1).is_ok());
        assert!(counts.take((one, "rooms"), 1).is_ok());
        assert!(counts.take((other, "things"), 1).is_ok());
        assert!(counts.take((one, "things"), 1).is_err());
    }

    #[test]
    fn sweeping_forgets_what_is_over() {
        let (ambient, clock) = stoa_testing::manual_time();
        let counts = CallCounts::new(ambient.clone());
        counts.take((InstallationId::new(&ambient), "things"), 1).unwrap();
        counts.sweep();
        assert_eq!(counts.windows.len(), 1);
        clock.advance(WINDOW);
        counts.sweep();
        assert!(counts.windows.is_empty());
    }
}
