//! Callers held for a moment.

use std::sync::Arc;

use dashmap::DashMap;
use stoa_base::Timestamp;

use super::HOLD;
use crate::{Caller, TokenHash};

/// When a look-up began: by the clock and by the count of rings until then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub at: Timestamp,
    pub rings: u64,
}

impl Moment {
    /// Whether what was looked up then is still good `now`. A clock that was set back ends the hold, or it
    /// would last until the clock is there again.
    fn holds(self, now: Self) -> bool {
        self.rings == now.rings && self.at <= now.at && now.at.since(self.at) < HOLD
    }
}

/// A caller, until when its token is good, and when that was looked up.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub caller: Arc<Caller>,
    pub expires_at: Option<Timestamp>,
    pub moment: Moment,
}

/// What was looked up a moment ago, by the hash of the token.
#[derive(Debug)]
pub(super) struct HeldCallers {
    by_hash: DashMap<TokenHash, Held>,
    most: usize,
}

impl HeldCallers {
    /// Nothing yet, and never more than `most`.
    pub fn new(most: usize) -> Self {
        Self { by_hash: DashMap::new(), most }
    }

    /// What is held of this token and still good.
    pub fn get(&self, hash: &TokenHash, now: Moment) -> Option<Held> {
        self.by_hash.get(hash).filter(|held| held.moment.holds(now)).map(|held| held.clone())
    }

    /// Holds this. Once full, everything is let go: entries live for a second anyway, so that choosing which
    /// to keep is not worth its cost.
    pub fn put(&self, hash: TokenHash, held: Held) {
        if self.by_hash.len() >= self.most {
            self.by_hash.clear();
        }
        self.by_hash.insert(hash, held);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use stoa_base::{AccountId, Ambient, InstallationId, WorkspaceId};
    use stoa_store::audit::Credential;

    use super::*;
    use crate::{MountId, Reach, Role, Scopes, SecretToken};

    const THEN: Moment = Moment { at: Timestamp::from_micros(5_000_000), rings: 3 };

    fn held(ambient: &Ambient) -> Held {
        let workspace = WorkspaceId::new(ambient);
        let caller = Caller {
            workspace,
            account: AccountId::new(ambient),
            role: Role::Member,
            installation: InstallationId::new(ambient),
            label: String::new(),
            client: None,
            mount: MountId::new(workspace, "things"),
            scopes: Scopes::default(),
            reach: Reach::Everything,
            run_budget: None,
            credential: Credential::Personal,
        };
        Held { caller: Arc::new(caller), expires_at: None, moment: THEN }
    }

    #[test]
    fn a_hold_ends_after_a_second_at_a_ring_and_when_the_clock_is_set_back() {
        let later = |by| Moment { at: THEN.at.plus(by), ..THEN };
        assert!(THEN.holds(THEN));
        assert!(THEN.holds(later(HOLD.saturating_sub(Duration::from_micros(1)))));
        assert!(!THEN.holds(later(HOLD)));
        assert!(!THEN.holds(Moment { rings: 4, ..THEN }));
        assert!(!THEN.holds(Moment { at: THEN.at.minus(Duration::from_micros(1)), ..THEN }));
    }

    #[test]
    fn the_bound_holds_and_the_newest_is_always_held() {
        let ambient = Ambient::system();
        let (callers, held) = (HeldCallers::new(4), held(&ambient));
        for _ in 0..10 {
            let hash = SecretToken::personal(&ambient).hash();
            callers.put(hash, held.clone());
            assert!(callers.by_hash.len() <= 4);
            assert!(callers.get(&hash, THEN).is_some());
        }
    }
}
