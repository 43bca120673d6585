//! Flood limits: token buckets that a well-behaved client never meets.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, Reference};
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{NotUntil, Quota, RateLimiter};
use stoa_base::subscriber::subscriber;
use stoa_base::{Ambient, InstallationId, Timestamp};

use crate::refusal::Refusal;

/// How much is let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloodLimits {
    /// Requests of one installation each second.
    pub per_second: NonZeroU32,
    /// How many of them may come at once.
    pub burst: NonZeroU32,
    /// Failed tokens from one address each second.
    pub failures_per_second: NonZeroU32,
}

impl Default for FloodLimits {
    fn default() -> Self {
        Self {
            per_second: NonZeroU32::MIN.saturating_add(99),
            burst: NonZeroU32::MIN.saturating_add(199),
            failures_per_second: NonZeroU32::MIN.saturating_add(19),
        }
    }
}

type Buckets<K> =
    RateLimiter<K, DashMapStateStore<K>, AmbientClock, governor::middleware::NoOpMiddleware<Instant>>;

/// The buckets, in this node's memory.
#[derive(Debug)]
pub(crate) struct Flood {
    installations: Buckets<InstallationId>,
    failures: Buckets<IpAddr>,
    clock: AmbientClock,
}

impl Flood {
    pub fn new(limits: FloodLimits, ambient: Ambient) -> Self {
        let clock = AmbientClock(ambient);
        let requests = Quota::per_second(limits.per_second).allow_burst(limits.burst);
        let failures = Quota::per_second(limits.failures_per_second);
        Self {
            installations: RateLimiter::new(requests, DashMapStateStore::default(), clock.clone()),
            failures: RateLimiter::new(failures, DashMapStateStore::default(), clock.clone()),
            clock,
        }
    }

    /// Counts a request of an installation.
    pub fn request(&self, installation: InstallationId) -> Result<(), Refusal> {
        self.installations.check_key(&installation).map_err(|until| self.refusal(&until))
    }

    /// Counts a failed token. Good tokens from the same address always pass: behind a proxy that isn't
    /// trusted, everybody has one address.
    pub fn failure(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        let Some(address) = address else { return Ok(()) };
        self.failures.check_key(&subscriber(address)).map_err(|until| self.refusal(&until))
    }

    /// Forgets whose bucket is full again.
    pub fn sweep(&self) {
        self.installations.retain_recent();
        self.failures.retain_recent();
    }

    fn refusal(&self, until: &NotUntil<Instant>) -> Refusal {
        let wait = until.wait_time_from(self.clock.now());
        Refusal::Flood { retry_after: wait.as_secs() + u64::from(wait.subsec_nanos() > 0) }
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

    fn flood() -> (Flood, std::sync::Arc<stoa_base::ManualClock>, Ambient) {
        let (ambient, clock) = stoa_testing::manual_time();
        (Flood::new(FloodLimits::default(), ambient.clone()), clock, ambient)
    }

    #[test]
    fn an_installation_has_a_burst_of_200_and_100_a_second_after_it() {
        let (flood, clock, ambient) = flood();
        let (one, other) = (InstallationId::new(&ambient), InstallationId::new(&ambient));
        assert_eq!((0..250).filter(|_| flood.request(one).is_ok()).count(), 200);
        assert!(matches!(flood.request(one), Err(Refusal::Flood { retry_after: 1 })));
        assert!(flood.request(other).is_ok());
        clock.advance(Duration::from_secs(1));
        assert_eq!((0..250).filter(|_| flood.request(one).is_ok()).count(), 100);
    }

    #[test]
    fn an_address_has_20_failures_a_second_and_no_address_has_none() {
        let (flood, _clock, _ambient) = flood();
        let address = Some("203.0.113.9".parse().unwrap());
        assert_eq!((0..50).filter(|_| flood.failure(address).is_ok()).count(), 20);
        assert_eq!((0..50).filter(|_| flood.failure(None).is_ok()).count(), 50);
    }
}
