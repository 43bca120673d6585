//! Chance, and where it comes from.

use std::sync::Mutex;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of random bytes fit for secrets.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug)]
pub struct SystemRandom;

impl Random for SystemRandom {
    /// # Panics
    /// If the operating system has no randomness to give: nothing could go on safely.
    #[expect(clippy::disallowed_methods, reason = "the one place where real randomness enters")]
    #[expect(clippy::expect_used, reason = "without randomness nothing may go on")]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives randomness");
    }
}

/// The same bytes for the same seed, for tests.
#[derive(Debug)]
pub struct SeededRandom(Mutex<ChaCha20Rng>);

impl SeededRandom {
    /// A source that always gives the same bytes for this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(ChaCha20Rng::seed_from_u64(seed)))
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        let mut rng = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rng.fill_bytes(bytes);
    }
}
