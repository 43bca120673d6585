//! Links between the services: `stoa:{service}/{kind}/{id}`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The longest name of a service or a kind, in characters.
const MAX_NAME: usize = 40;
/// The longest id, in characters.
const MAX_ID: usize = 64;

/// A reference to something in a service, such as
/// `stoa:things/thing/0192f3a1-b2c3-7def-8a01-23456789abcd`. It says nothing about whether that exists
/// or who may see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    service: String,
    kind: String,
    id: String,
}

impl Link {
    /// The link to `id` of `kind` in `service`.
    ///
    /// # Errors
    /// [`NotALink`] naming the part that has characters or a length that links don't have.
    pub fn new(service: &str, kind: &str, id: impl fmt::Display) -> Result<Self, NotALink> {
        let id = id.to_string();
        if !is_name(service) {
            return Err(NotALink::Service);
        }
        if !is_name(kind) {
            return Err(NotALink::Kind);
        }
        if !is_id(&id) {
            return Err(NotALink::Id);
        }
        Ok(Self { service: service.to_owned(), kind: kind.to_owned(), id })
    }

    /// The service: `[a-z][a-z0-9_]{0,39}`.
    #[must_use]
    pub fn service(&self) -> &str {
        &self.service
    }

    /// The kind of thing within the service: `[a-z][a-z0-9_]{0,39}`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The id within the kind: `[A-Za-z0-9_-]{1,64}`, which every [`Id`](crate::Id)'s text is.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Why a text is not a link.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotALink {
    /// It does not begin with `stoa:`.
    #[error("a link begins with stoa:")]
    Scheme,
    /// There are not three parts after the scheme.
    #[error("a link has the form stoa:service/kind/id")]
    Parts,
    /// The service is not `[a-z][a-z0-9_]{0,39}`.
    #[error("the link's service is not a name")]
    Service,
    /// The kind is not `[a-z][a-z0-9_]{0,39}`.
    #[error("the link's kind is not a name")]
    Kind,
    /// The id is not `[A-Za-z0-9_-]{1,64}`.
    #[error("the link's id is not an id")]
    Id,
}

fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

impl FromStr for Link {
    type Err = NotALink;

    fn from_str(text: &str) -> Result<Self, NotALink> {
        let path = text.strip_prefix("stoa:").ok_or(NotALink::Scheme)?;
        let mut parts = path.split('/');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(service), Some(kind), Some(id), None) => Self::new(service, kind, id),
            _ => Err(NotALink::Parts),
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stoa:{}/{}/{}", self.service, self.kind, self.id)
    }
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Link {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Id;

    enum Thing {}

    #[test]
    fn a_typed_id_makes_a_link() {
        let id: Id<Thing> = "0192f3a1-b2c3-7def-8a01-23456789abcd".parse().unwrap();
        let link = Link::new("things", "thing", id).unwrap();
        assert_eq!(link.to_string(), "stoa:things/thing/0192f3a1-b2c3-7def-8a01-23456789abcd");
        assert_eq!(link.id().parse(), Ok(id));
    }

    #[test]
    fn the_error_names_the_wrong_part() {
        let refused = |text: &str| text.parse::<Link>().unwrap_err();
        assert_eq!(refused("STOA:things/thing/1"), NotALink::Scheme);
        assert_eq!(refused("stoa:things/1"), NotALink::Parts);
        assert_eq!(refused("stoa:things/thing/1/2"), NotALink::Parts);
        assert_eq!(refused("stoa:Things/thing/1"), NotALink::Service);
        assert_eq!(refused("stoa:/thing/1"), NotALink::Service);
        assert_eq!(refused("stoa:things/2nd/1"), NotALink::Kind);
        assert_eq!(refused("stoa:things/thing/"), NotALink::Id);
        assert_eq!(refused("stoa:things/thing/a b"), NotALink::Id);
    }

    #[test]
    fn lengths_are_bounded() {
        assert!(Link::new(&"a".repeat(40), &"b".repeat(40), "c".repeat(64)).is_ok());
        assert_eq!(Link::new(&"a".repeat(41), "b", "c"), Err(NotALink::Service));
        assert_eq!(Link::new("a", &"b".repeat(41), "c"), Err(NotALink::Kind));
        assert_eq!(Link::new("a", "b", "c".repeat(65)), Err(NotALink::Id));
    }

    #[test]
    fn json_holds_the_text_and_refuses_another() {
        let link: Link = serde_json::from_str(r#""stoa:rooms/message/7""#).unwrap();
        assert_eq!((link.service(), link.kind(), link.id()), ("rooms", "message", "7"));
        assert_eq!(serde_json::to_string(&link).unwrap(), r#""stoa:rooms/message/7""#);
        assert!(serde_json::from_str::<Link>(r#""https://example.com""#).is_err());
    }

    proptest! {
        #[test]
        fn every_link_reads_back(text in "stoa:[a-z][a-z0-9_]{0,39}/[a-z][a-z0-9_]{0,39}/[A-Za-z0-9_-]{1,64}") {
            prop_assert_eq!(text.parse::<Link>().unwrap().to_string(), text);
        }

        #[test]
        fn what_parses_shows_as_it_was(text in "(stoa:)?[a-z0-9_/:é-]{0,20}") {
            if let Ok(link) = text.parse::<Link>() {
                prop_assert_eq!(link.to_string(), text);
            }
        }
    }
}
