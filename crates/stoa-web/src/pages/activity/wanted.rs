//! What a person wants to see of the audit, as it stands in an address.

use std::time::Duration;

use serde::Deserialize;
use stoa_base::Timestamp;
use stoa_identity::{ActivityFilter, ActivityPlace};
use stoa_store::audit::Status;
use url::form_urlencoded::Serializer;

const DAY: Duration = Duration::from_hours(24);

/// The query. What can't be read is as if it were not said: the form can't send it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    pub agent: String,
    #[serde(default)]
    pub tool: String,
    #[serde(default)]
    pub status: String,
    /// `2026-12-01`, in UTC.
    #[serde(default)]
    pub day: String,
    /// Where the page before ended: microseconds since 1970 and an id.
    #[serde(default)]
    pub after: String,
}

impl Wanted {
    /// What is wanted.
    pub fn filter(&self) -> ActivityFilter {
        let from = Timestamp::parse(&self.day).ok();
        let tool = self.tool.trim();
        ActivityFilter {
            installation: self.agent.parse().ok(),
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            status: Status::of(&self.status),
            from,
            until: from.map(|from| from.plus(DAY)),
        }
    }

    /// What comes after which entry.
    pub fn place(&self) -> Option<ActivityPlace> {
        let (at, id) = self.after.split_once('-')?;
        let at = at.parse().ok().map(Timestamp::from_micros)?;
        Some(ActivityPlace { at, id: id.parse().ok()? })
    }

    /// The same as a query, going on at another place.
    pub fn query(&self, place: Option<ActivityPlace>) -> String {
        let mut query = Serializer::new(String::new());
        let said =
            [("agent", &self.agent), ("tool", &self.tool), ("status", &self.status), ("day", &self.day)];
        for (name, value) in said.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        if let Some(ActivityPlace { at, id }) = place {
            query.append_pair("after", &format!("{}-{id}", at.as_micros()));
        }
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_it_was_made_of() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap();
        let place = ActivityPlace { at: Timestamp::from_micros(7), id };
        let wanted = Wanted { tool: "search_things".into(), day: "2026-12-01".into(), ..Wanted::default() };
        let query = wanted.query(Some(place));
        let read: Wanted = serde_json::from_value(
            url::form_urlencoded::parse(query.as_bytes())
                .map(|(name, value)| (name.into_owned(), value.into_owned().into()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        )
        .unwrap();
        assert_eq!(read.place(), Some(place));
        let filter = read.filter();
        assert_eq!(filter.tool.as_deref(), Some("search_things"));
        assert_eq!(filter.until.unwrap().since(filter.from.unwrap()), DAY);
        assert_eq!(
            Wanted { day: "yesterday".into(), ..Wanted::default() }.filter(),
            ActivityFilter::default()
        );
    }
}
