//! The two things a program may not make up for itself: what time it is, and chance.

use std::sync::Arc;

use crate::{Clock, Random, SystemClock, SystemRandom, Timestamp};

/// The clock and the source of randomness, handed down from `main` (or from a test) to whatever
/// needs them. Cheap to clone.
#[derive(Clone)]
pub struct Ambient {
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl Ambient {
    /// An ambient of the given clock and randomness.
    pub fn new(clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self { clock, random }
    }

    /// The machine's own clock and the operating system's randomness.
    #[must_use]
    pub fn system() -> Self {
        Self::new(Arc::new(SystemClock), Arc::new(SystemRandom))
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// `N` random bytes, fit for secrets.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }
}

impl std::fmt::Debug for Ambient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ambient").finish_non_exhaustive()
    }
}
