//! Token buckets that a well-behaved client never meets, in this node's memory.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, Reference};
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use stoa_base::{Ambient, Timestamp};

/// After how many looks those are forgotten whose bucket is full again.
const SWEEP_AFTER: u32 = 4_096;

/// A bucket for each key.
#[derive(Debug)]
pub struct Buckets<K: Hash + Eq + Clone> {
    limiter:
        RateLimiter<K, DashMapStateStore<K>, AmbientClock, governor::middleware::NoOpMiddleware<Instant>>,
    clock: AmbientClock,
    looks: AtomicU32,
}

/// Too much came at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter {
    /// When to come again, in whole seconds, at least one.
    pub seconds: u64,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    /// Buckets that hold `burst` and are filled with `per_second` each second.
    #[must_use]
    pub fn new(per_second: NonZeroU32, burst: NonZeroU32, ambient: Ambient) -> Self {
        let clock = AmbientClock(ambient);
        let quota = Quota::per_second(per_second).allow_burst(burst);
        let limiter = RateLimiter::new(quota, DashMapStateStore::default(), clock.clone());
        Self { limiter, clock, looks: AtomicU32::new(0) }
    }

    /// Takes one out of the key's bucket. What is held in memory is bounded by what comes in the time in which a
    /// bucket fills.
    ///
    /// # Errors
    /// [`RetryAfter`] while it is empty.
    pub fn take(&self, key: &K) -> Result<(), RetryAfter> {
        if self.looks.fetch_add(1, Ordering::Relaxed) % SWEEP_AFTER == SWEEP_AFTER - 1 {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            RetryAfter { seconds: seconds.max(1) }
        })
    }

    /// How many buckets are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.limiter.len()
    }
}

/// The injected clock, as the buckets ask for it.
#[derive(Clone, Debug)]
struct AmbientClock(Ambient);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Instant(Timestamp);

impl Clock for AmbientClock {
    type Instant = Instant;

    fn now(&self) -> Instant {
        Instant(self.0.now())
    }
}

impl Reference for Instant {
    fn duration_since(&self, earlier: Self) -> Nanos {
        self.0.since(earlier.0).into()
    }

    fn saturating_sub(&self, duration: Nanos) -> Self {
        Self(self.0.minus(duration.into()))
    }
}

impl std::ops::Add<Nanos> for Instant {
    type Output = Self;

    fn add(self, duration: Nanos) -> Self {
        Self(self.0.plus(Duration::from(duration)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    #[test]
    fn a_bucket_holds_the_burst_and_fills_each_second() {
        let (ambient, clock) = stoa_testing::manual_time();
        let buckets = Buckets::new(number(100), number(200), ambient);
        assert_eq!((0..250).filter(|_| buckets.take(&1).is_ok()).count(), 200);
        assert_eq!(buckets.take(&1), Err(RetryAfter { seconds: 1 }));
        assert!(buckets.take(&2).is_ok());
        clock.advance(Duration::from_secs(1));
        assert_eq!((0..250).filter(|_| buckets.take(&1).is_ok()).count(), 100);
    }

    #[test]
    fn what_is_full_again_is_forgotten() {
        let (ambient, clock) = stoa_testing::manual_time();
        let buckets = Buckets::new(number(1), number(10), ambient);
        for key in 0..20_000 {
            clock.advance(Duration::from_millis(1));
            assert!(buckets.take(&key).is_ok());
        }
        assert!(buckets.held() <= 10_000, "{}", buckets.held());
    }
}
