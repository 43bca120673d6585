//! Typed ids: a run's id can't be passed where a thing's is wanted.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::Ambient;

/// The id of a `K`: a UUID of version 7 (RFC 9562), so that ids made later sort later.
/// Shown in lower-case hexadecimal with hyphens.
pub struct Id<K> {
    uuid: Uuid,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// A new id of this instant.
    #[must_use]
    pub fn new(ambient: &Ambient) -> Self {
        let millis = u64::try_from(ambient.now().as_millis()).unwrap_or(0);
        Self::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &ambient.bytes()).into_uuid())
    }

    /// The id with this UUID, as read from the database.
    #[must_use]
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self { uuid, kind: PhantomData }
    }

    /// The UUID, as written to the database.
    #[must_use]
    pub const fn uuid(&self) -> Uuid {
        self.uuid
    }
}

/// A tenant: every row of tenant data carries one's id.
#[derive(Debug)]
pub enum Workspace {}
/// A person.
#[derive(Debug)]
pub enum Account {}
/// One authorization of one client by one person: what tokens, budgets and limits belong to.
#[derive(Debug)]
pub enum Installation {}

/// The id of a tenant.
pub type WorkspaceId = Id<Workspace>;
/// The id of a person.
pub type AccountId = Id<Account>;
/// The id of an installation.
pub type InstallationId = Id<Installation>;

/// The text is not an id.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("not an id; expected one as lists show it, such as 0192f3a1-b2c3-7def-8a01-23456789abcd")]
pub struct NotAnId;

impl<K> FromStr for Id<K> {
    type Err = NotAnId;

    /// Takes the hyphenated form only, so that one id has one spelling.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let uuid: uuid::fmt::Hyphenated = text.parse().map_err(|_| NotAnId)?;
        Ok(Self::from_uuid(uuid.into_uuid()))
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.uuid == other.uuid
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.uuid.cmp(&other.uuid)
    }
}
impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}
impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uuid.hyphenated().fmt(f)
    }
}
impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl<K> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
impl<'de, K> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::{ManualClock, SeededRandom, Timestamp};

    enum Thing {}

    #[test]
    fn later_ids_sort_later_and_read_back() {
        let clock = Arc::new(ManualClock::new(Timestamp::from_micros(1_700_000_000_000_000)));
        let ambient = Ambient::new(clock.clone(), Arc::new(SeededRandom::new(1)));
        let first = Id::<Thing>::new(&ambient);
        clock.advance(Duration::from_millis(1));
        let second = Id::<Thing>::new(&ambient);
        assert!(first < second);
        assert_eq!(first.to_string().parse(), Ok(first));
    }

    #[test]
    fn other_spellings_of_a_uuid_are_refused() {
        assert_eq!("0192f3a1b2c37def8a0123456789abcd".parse::<Id<Thing>>(), Err(NotAnId));
        assert_eq!("urn:uuid:0192f3a1-b2c3-7def-8a01-23456789abcd".parse::<Id<Thing>>(), Err(NotAnId));
        assert_eq!("".parse::<Id<Thing>>(), Err(NotAnId));
    }
}
