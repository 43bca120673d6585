//! Moments, as people read them.

use std::fmt;

use stoa_base::Timestamp;

use crate::language::Language;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// From here on the day is said instead of how long ago it was.
const LONG_AGO: u64 = 7 * DAY;

/// A moment: for people how long ago it was, for programs and on hovering when exactly. Shown in a page it is a
/// `<time>` element.
#[derive(Clone, Debug)]
pub struct When {
    exact: String,
    said: String,
}

impl When {
    /// A moment in a language, said at `now`.
    #[must_use]
    pub fn new(language: Language, now: Timestamp, at: Timestamp) -> Self {
        let exact = at.to_string();
        let said = if at > now { minute(&exact) } else { ago(language, now.since(at).as_secs(), &exact) };
        Self { exact, said }
    }
}

/// The moment as HTML. Nothing in it comes from outside.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"<time datetime="{0}" title="{0}">{1}</time>"#, self.exact, self.said)
    }
}

impl askama::filters::HtmlSafe for When {}

/// `2026-12-01 09:30 UTC` of `2026-12-01T09:30:00.000000Z`.
fn minute(exact: &str) -> String {
    let (day, time) = exact.split_once('T').unwrap_or((exact, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or(time))
}

fn ago(language: Language, seconds: u64, exact: &str) -> String {
    let (count, unit) = match seconds {
        0..MINUTE => return just_now(language).to_owned(),
        MINUTE..HOUR => (seconds / MINUTE, "min"),
        HOUR..DAY => (seconds / HOUR, "h"),
        DAY..LONG_AGO => (seconds / DAY, "d"),
        _ => return minute(exact),
    };
    match language {
        Language::English => format!("{count} {unit} ago"),
        Language::Spanish => format!("hace {count} {unit}"),
    }
}

const fn just_now(language: Language) -> &'static str {
    match language {
        Language::English => "just now",
        Language::Spanish => "ahora mismo",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_said_as_people_say_it() {
        let now = Timestamp::from_micros(1_764_550_000_000_000);
        let said = |language, seconds: u64| {
            When::new(language, now, now.minus(std::time::Duration::from_secs(seconds))).said
        };
        assert_eq!(said(Language::English, 5), "just now");
        assert_eq!(said(Language::Spanish, 61), "hace 1 min");
        assert_eq!(said(Language::English, 3 * HOUR), "3 h ago");
        assert_eq!(said(Language::English, 6 * DAY), "6 d ago");
        assert_eq!(said(Language::English, 30 * DAY), "2025-11-01 00:46 UTC");
        let shown = When::new(Language::English, now, now).to_string();
        assert!(shown.starts_with("<time datetime=\"2025-12-01T00:46:40"), "{shown}");
    }
}
