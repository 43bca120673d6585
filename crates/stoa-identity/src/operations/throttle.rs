//! How often may be tried what could be guessed.
//!
//! Each subject has a level that rises by one with each attempt and sinks by one in each [`Limit::sinks`]; at
//! [`Limit::most`] nothing more is admitted until it has sunk. So a person who mistypes is not held up, and somebody
//! who guesses gets on at the rate of the sinking. What is tried has a level for each network and, ten times as
//! high, one for all together: one network alone locks nobody out elsewhere, and many get no further than the
//! second level lets them. From all networks together that is 9,600 passwords of an address in a day, and 144 codes
//! of an app, which only who knows the password can try.
//! An attempt is counted before it is looked at (many at once would else all find the level low) and taken back
//! when it succeeds. What is refused is not counted.

use std::time::Duration;

use sha2::{Digest, Sha256};
use stoa_base::{AccountId, Timestamp};
use stoa_store::{StoreError, Tx};

use crate::store::attempt::{self, Subject};
use crate::{Door, Email, TokenHash, Visit};

/// How long the slowest level takes to sink: rows that are older say nothing.
pub const LONGEST: Duration = Duration::from_hours(2);

/// Who may try what how often.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    subject: Subject,
    most: i64,
    sinks: Duration,
}

impl Limit {
    /// Passwords of one address, from this network and from all.
    pub fn passwords(email: &Email, visit: &Visit) -> [Self; 2] {
        [Self::password_everywhere(email), Self::password(email, visit)]
    }

    /// Codes of one account's app, from this network and from all.
    pub fn codes(account: AccountId, visit: &Visit) -> [Self; 2] {
        [Self::second_factor_everywhere(account), Self::second_factor(account, visit)]
    }

    /// Passwords of one address from one network, whether or not anybody has it: 10 in 15 minutes.
    fn password(email: &Email, visit: &Visit) -> Self {
        Self::from("password", email.as_str().as_bytes(), visit, 10, Duration::from_secs(90))
    }

    /// Passwords of one address from all networks: 100 in 15 minutes.
    fn password_everywhere(email: &Email) -> Self {
        Self::new("password everywhere", email.as_str().as_bytes(), 100, Duration::from_secs(9))
    }

    /// Codes of one account's app from one network: 8 at once, then one in 15 minutes, since a code has six digits only.
    fn second_factor(account: AccountId, visit: &Visit) -> Self {
        Self::from("second factor", account.uuid().as_bytes(), visit, 8, Duration::from_mins(15))
    }

    /// The same from all networks: 12 at once, then one in 10 minutes.
    fn second_factor_everywhere(account: AccountId) -> Self {
        Self::new("second factor everywhere", account.uuid().as_bytes(), 12, Duration::from_mins(10))
    }

    /// Recovery codes of one account from one network: 20 in 20 minutes. They have 80 bits.
    pub fn recovery_codes(account: AccountId, visit: &Visit) -> Self {
        Self::from("recovery code", account.uuid().as_bytes(), visit, 20, Duration::from_mins(1))
    }

    /// New accounts that one invitation is tried for: 10 at once, then one in 10 minutes. Who holds an invitation can
    /// ask with each whether there is an account with an address.
    pub fn invitation(invitation: &TokenHash) -> Self {
        Self::new("invitation", invitation.as_bytes(), 10, Duration::from_mins(10))
    }

    /// What fails from one network: 50 in 15 minutes.
    pub fn failures(visit: &Visit) -> Self {
        Self::new("network", visit.network().as_bytes(), 50, Duration::from_secs(18))
    }

    /// Ceremonies that one network begins: 100 at once, then 20 in a minute.
    pub fn ceremonies(visit: &Visit) -> Self {
        Self::new("ceremony", visit.network().as_bytes(), 100, Duration::from_secs(3))
    }

    /// Reset links that are mailed to one address, whether or not anybody has it: 3 at once, then one in 20 minutes.
    pub fn resets(email: &Email) -> Self {
        Self::new("reset", email.as_str().as_bytes(), 3, Duration::from_mins(20))
    }

    /// Reset links that one network asks for: 20 at once, then one in 3 minutes.
    pub fn reset_askers(visit: &Visit) -> Self {
        Self::new("reset network", visit.network().as_bytes(), 20, Duration::from_mins(3))
    }

    /// Of `who`, from this network.
    fn from(what: &str, who: &[u8], visit: &Visit, most: i64, sinks: Duration) -> Self {
        let who = [who, &[0], visit.network().as_bytes()].concat();
        Self::new(what, &who, most, sinks)
    }

    fn new(what: &str, who: &[u8], most: i64, sinks: Duration) -> Self {
        let subject = Sha256::new().chain_update(what).chain_update([0]).chain_update(who).finalize().into();
        Self { subject, most, sinks }
    }

    /// The level now, if at `last_at` it was `count`.
    fn level(&self, count: i64, last_at: Timestamp, now: Timestamp) -> i64 {
        let sunk = now.since(last_at).as_micros() / self.sinks.as_micros().max(1);
        (count - i64::try_from(sunk).unwrap_or(i64::MAX)).max(0)
    }
}

/// Too much was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TryAfter(pub Duration);

/// Admits one attempt under every one of `limits`, counting it, or says when to come again.
///
/// `limits` are given in one order everywhere (what is tried, then the network): they are held in it.
pub async fn admit(door: &Door, limits: &[Limit]) -> Result<Result<(), TryAfter>, StoreError> {
    let now = door.ambient.now();
    let mut tx = door.db.begin().await?;
    for limit in limits {
        let (count, last_at) = attempt::hold(&mut tx, &limit.subject, now).await?;
        let level = limit.level(count, last_at, now);
        if level >= limit.most {
            tx.rollback().await?;
            return Ok(Err(TryAfter(limit.sinks.saturating_sub(now.since(last_at)))));
        }
        attempt::count(&mut tx, &limit.subject, level + 1, now).await?;
    }
    tx.commit().await?;
    Ok(Ok(()))
}

/// The attempt succeeded: what was tried begins anew, and the network has one failure less.
pub async fn succeeded(tx: &mut Tx, tried: &[Limit], visit: &Visit) -> Result<(), StoreError> {
    for limit in tried {
        attempt::forget(tx, &limit.subject).await?;
    }
    attempt::uncount(tx, &Limit::failures(visit).subject).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_sinks_by_one_in_each_step_and_never_below_nothing() {
        let limit = Limit::new("test", b"it", 10, Duration::from_secs(90));
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        assert_eq!(limit.level(10, at(0), at(89)), 10);
        assert_eq!(limit.level(10, at(0), at(90)), 9);
        assert_eq!(limit.level(10, at(0), at(90 * 11)), 0);
        assert_eq!(limit.level(10, at(100), at(0)), 10, "a clock that went back forgives nothing");
    }

    #[test]
    fn subjects_of_two_limits_never_meet_and_none_outlives_its_row() {
        let email: Email = "ann@example.com".parse().unwrap();
        let address = Some([192, 0, 2, 7].into());
        let class = stoa_store::audit::AddressClass::Public;
        let visit = Visit { address, class, user_agent: None, trace_id: None };
        let account = AccountId::from_uuid(uuid::Uuid::nil());
        let limits = [
            Limit::password(&email, &visit),
            Limit::password_everywhere(&email),
            Limit::second_factor(account, &visit),
            Limit::second_factor_everywhere(account),
            Limit::recovery_codes(account, &visit),
            Limit::failures(&visit),
            Limit::ceremonies(&visit),
            Limit::resets(&email),
            Limit::reset_askers(&visit),
        ];
        let subjects: std::collections::HashSet<_> = limits.iter().map(|limit| limit.subject).collect();
        assert_eq!(subjects.len(), limits.len());
        for limit in limits {
            assert!(limit.sinks * u32::try_from(limit.most).unwrap() <= LONGEST);
        }
    }
}
