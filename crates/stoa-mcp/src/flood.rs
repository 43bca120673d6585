//! Flood limits: token buckets that a well-behaved client never meets.

use std::net::IpAddr;
use std::num::NonZeroU32;

use stoa_base::subscriber::subscriber;
use stoa_base::{Ambient, InstallationId};
use stoa_site::buckets::{Buckets, RetryAfter};

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

/// The buckets, in this node's memory.
#[derive(Debug)]
pub(crate) struct Flood {
    installations: Buckets<InstallationId>,
    failures: Buckets<IpAddr>,
}

impl Flood {
    pub fn new(limits: FloodLimits, ambient: &Ambient) -> Self {
        let FloodLimits { per_second, burst, failures_per_second } = limits;
        Self {
            installations: Buckets::new(per_second, burst, ambient.clone()),
            failures: Buckets::new(failures_per_second, failures_per_second, ambient.clone()),
        }
    }

    /// Counts a request of an installation.
    pub fn request(&self, installation: InstallationId) -> Result<(), Refusal> {
        self.installations.take(&installation).map_err(refusal)
    }

    /// Counts a failed token. Good tokens from the same address always pass: behind a proxy that isn't
    /// trusted, everybody has one address.
    pub fn failure(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        let Some(address) = address else { return Ok(()) };
        self.failures.take(&subscriber(address)).map_err(refusal)
    }
}

const fn refusal(RetryAfter { seconds }: RetryAfter) -> Refusal {
    Refusal::Flood { retry_after: seconds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_has_a_burst_of_200_and_an_address_20_failures_a_second() {
        let (ambient, _clock) = stoa_testing::manual_time();
        let flood = Flood::new(FloodLimits::default(), &ambient);
        let one = InstallationId::new(&ambient);
        assert_eq!((0..250).filter(|_| flood.request(one).is_ok()).count(), 200);
        assert!(matches!(flood.request(one), Err(Refusal::Flood { retry_after: 1 })));
        let address = Some("203.0.113.9".parse().unwrap());
        assert_eq!((0..50).filter(|_| flood.failure(address).is_ok()).count(), 20);
        assert_eq!((0..50).filter(|_| flood.failure(None).is_ok()).count(), 50);
    }
}
