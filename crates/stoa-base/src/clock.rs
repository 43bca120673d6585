//! Time: one kind of instant, and where it comes from.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant: microseconds since 1970-01-01T00:00:00Z. Stored as `BIGINT`, shown as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant so many microseconds after 1970 began.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970 began.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Milliseconds since 1970 began, rounded down.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// The instant `by` later.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(micros(by)))
    }

    /// The instant `by` earlier.
    #[must_use]
    pub fn minus(self, by: Duration) -> Self {
        Self(self.0.saturating_sub(micros(by)))
    }

    /// How long ago `earlier` was; zero if it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The last instant that is a whole multiple of `step` and not after this one: where the window
    /// of a limit or budget began.
    #[must_use]
    pub fn floor(self, step: Duration) -> Self {
        let step = micros(step).max(1);
        Self(self.0.div_euclid(step) * step)
    }

    /// Reads an ISO 8601 instant (RFC 3339, any offset) or a plain date, which is its midnight in UTC.
    ///
    /// # Errors
    /// [`NotAnInstant`] if the text is neither.
    pub fn parse(text: &str) -> Result<Self, NotAnInstant> {
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            return Ok(Self(instant.as_microsecond()));
        }
        let date: jiff::civil::Date = text.parse().map_err(|_| NotAnInstant)?;
        let midnight = jiff::tz::TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).map_err(|_| NotAnInstant)?;
        Ok(Self(midnight.as_microsecond()))
    }
}

/// The text was neither an RFC 3339 instant nor a date.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected an ISO 8601 instant such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31")]
pub struct NotAnInstant;

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Where the time comes from.
pub trait Clock: Send + Sync {
    /// What time it is.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where real time enters")]
    fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_microsecond())
    }
}

/// A clock that stands still until it is told to move, for tests.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `start`.
    #[must_use]
    pub const fn new(start: Timestamp) -> Self {
        Self(AtomicI64::new(start.0))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(micros(by), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_rfc_3339_in_utc_and_reads_it_back() {
        let instant = Timestamp::parse("2026-11-30T12:00:00.25+01:00").unwrap();
        assert_eq!(instant.to_string(), "2026-11-30T11:00:00.25Z");
        assert_eq!(Timestamp::parse(&instant.to_string()), Ok(instant));
    }

    #[test]
    fn a_date_is_its_midnight_in_utc() {
        assert_eq!(Timestamp::parse("2026-01-31"), Timestamp::parse("2026-01-31T00:00:00Z"));
        assert_eq!(Timestamp::parse("yesterday"), Err(NotAnInstant));
    }

    #[test]
    fn floor_finds_the_start_of_the_hour() {
        let instant = Timestamp::parse("2026-11-30T11:59:59.999999Z").unwrap();
        assert_eq!(instant.floor(Duration::from_hours(1)).to_string(), "2026-11-30T11:00:00Z");
    }
}
