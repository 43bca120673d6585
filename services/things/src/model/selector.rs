//! The selector: the one way of saying which things are meant.

use serde::Deserialize;
use stoa_base::Timestamp;
use stoa_base::clock::NotAnInstant;

use super::{Folder, FolderError, Kind, Query, QueryError, ResourceId, UnknownKind};

/// Which things are meant. Whatever is left out widens it; an empty selector is the whole catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// What title, path or text must say.
    pub query: Option<Query>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only what has a reference in this resource.
    pub resource_id: Option<ResourceId>,
    /// Only what has a reference below this folder.
    pub folder: Option<Folder>,
    /// Only what was catalogued at this instant or later.
    pub since: Option<Timestamp>,
    /// Only what was catalogued earlier than this instant.
    pub before: Option<Timestamp>,
}

impl Selector {
    /// Names this selector: 64 hexadecimal digits, the same for the same meaning. A cursor carries it,
    /// so that it can't be used to go on with another search.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in self.parts() {
            let text = part.unwrap_or_default();
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Every field as text; none of them is ever the empty text.
    fn parts(&self) -> [Option<String>; 6] {
        [
            self.query.as_ref().map(ToString::to_string),
            self.kind.map(|kind| kind.to_string()),
            self.resource_id.map(|id| id.to_string()),
            self.folder.as_ref().map(ToString::to_string),
            self.since.map(|instant| instant.to_string()),
            self.before.map(|instant| instant.to_string()),
        ]
    }
}

/// A selector as it is written: the arguments of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SelectorArguments {
    /// See [`Query`] for the language.
    pub query: Option<String>,
    /// The name of a [`Kind`].
    pub kind: Option<String>,
    /// The id of a resource.
    pub resource_id: Option<String>,
    /// A folder, such as `2024/invoices`.
    pub folder: Option<String>,
    /// An ISO 8601 instant or a date, inclusive.
    pub since: Option<String>,
    /// An ISO 8601 instant or a date, exclusive.
    pub before: Option<String>,
}

/// An argument of a selector is wrong; the message begins with the argument's name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SelectorError {
    /// `query` can't be searched for.
    #[error("query: {0}")]
    Query(#[from] QueryError),
    /// `kind` is not a kind.
    #[error("kind: {0}")]
    Kind(#[from] UnknownKind),
    /// `resource_id` is not an id.
    #[error("resource_id: expected an id as list_resources gives it")]
    ResourceId,
    /// `folder` is not a folder.
    #[error("folder: {0}")]
    Folder(#[from] FolderError),
    /// `since` is not an instant.
    #[error("since: {0}")]
    Since(NotAnInstant),
    /// `before` is not an instant.
    #[error("before: {0}")]
    Before(NotAnInstant),
    /// `since` and `before` leave no time between them.
    #[error("since: {since} is not earlier than before ({before}), so nothing can match")]
    NoTimeBetween {
        /// The first instant asked for.
        since: Timestamp,
        /// The first instant no longer asked for.
        before: Timestamp,
    },
}

impl SelectorArguments {
    /// Reads the arguments.
    ///
    /// # Errors
    /// [`SelectorError`] for the first argument that is wrong, in the order of the fields.
    pub fn parse(&self) -> Result<Selector, SelectorError> {
        let selector = Selector {
            query: self.query.as_deref().map(str::parse).transpose()?,
            kind: self.kind.as_deref().map(str::parse).transpose()?,
            resource_id: self.resource_id()?,
            folder: self.folder.as_deref().map(str::parse).transpose()?,
            since: instant(self.since.as_deref()).map_err(SelectorError::Since)?,
            before: instant(self.before.as_deref()).map_err(SelectorError::Before)?,
        };
        match (selector.since, selector.before) {
            (Some(since), Some(before)) if since >= before => {
                Err(SelectorError::NoTimeBetween { since, before })
            }
            _ => Ok(selector),
        }
    }

    fn resource_id(&self) -> Result<Option<ResourceId>, SelectorError> {
        let id = self.resource_id.as_deref().map(str::parse).transpose();
        id.map_err(|_| SelectorError::ResourceId)
    }
}

fn instant(text: Option<&str>) -> Result<Option<Timestamp>, NotAnInstant> {
    text.map(Timestamp::parse).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<Selector, SelectorError> {
        serde_json::from_str::<SelectorArguments>(json).unwrap().parse()
    }

    #[test]
    fn nothing_given_selects_the_whole_catalog() {
        assert_eq!(parse("{}"), Ok(Selector::default()));
        assert_eq!(parse(r#"{"query": null}"#), Ok(Selector::default()));
    }

    #[test]
    fn every_argument_is_read() {
        let selector = parse(
            r#"{"query": "tax", "kind": "document", "folder": "/2024/",
                "resource_id": "0192f3a1-b2c3-7def-8a01-23456789abcd",
                "since": "2026-01-01", "before": "2026-02-01T00:00:00+01:00"}"#,
        )
        .unwrap();
        assert!(selector.parts().iter().all(Option::is_some));
        assert_eq!(selector.before.unwrap().to_string(), "2026-01-31T23:00:00Z");
    }

    #[test]
    fn an_error_begins_with_the_name_of_its_argument() {
        for (name, json) in [
            ("query", r#"{"query": "!?"}"#),
            ("kind", r#"{"kind": "picture"}"#),
            ("resource_id", r#"{"resource_id": "7"}"#),
            ("folder", r#"{"folder": "a/../b"}"#),
            ("since", r#"{"since": "yesterday"}"#),
            ("before", r#"{"before": "2026-13-01"}"#),
            ("since", r#"{"since": "2026-02-01", "before": "2026-02-01"}"#),
        ] {
            let message = parse(json).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{name}: ")), "{message}");
        }
    }

    #[test]
    fn the_digest_tells_meanings_apart_and_not_spellings() {
        let digest = |json: &str| parse(json).unwrap().digest();
        assert_eq!(digest(r#"{"query": "Résumé  PAY"}"#), digest(r#"{"query": "resume pay"}"#));
        assert_eq!(digest(r#"{"since": "2026-01-01"}"#), digest(r#"{"since": "2026-01-01T00:00:00Z"}"#));
        assert_ne!(digest(r#"{"since": "2026-01-01"}"#), digest(r#"{"before": "2026-01-01"}"#));
        assert_ne!(digest(r#"{"query": "data"}"#), digest(r#"{"kind": "data"}"#));
    }
}
