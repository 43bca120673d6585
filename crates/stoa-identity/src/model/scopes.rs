//! What a grant allows, in words.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A set of scopes such as `things:read`, sorted. Which scopes there are, the services say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scopes(BTreeSet<String>);

impl Scopes {
    /// Whether `scope` is among them.
    #[must_use]
    pub fn contains(&self, scope: &str) -> bool {
        self.0.contains(scope)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of them is among `others` too.
    #[must_use]
    pub fn is_subset(&self, others: &Self) -> bool {
        self.0.is_subset(&others.0)
    }

    /// Those that are among `others` too.
    #[must_use]
    pub fn and(&self, others: &Self) -> Self {
        self.0.intersection(&others.0).cloned().collect()
    }

    /// These and those.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        self.0.union(&others.0).cloned().collect()
    }

    /// Each scope, in the order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The text has a character that no scope has.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("scopes are words of printable ASCII, without quotes and backslashes, between single spaces")]
pub struct NotScopes;

impl FromStr for Scopes {
    type Err = NotScopes;

    /// Reads the space-separated form of RFC 6749 section 3.3. The empty text is the empty set.
    fn from_str(text: &str) -> Result<Self, NotScopes> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        text.split(' ').map(|word| is_scope(word).then(|| word.to_owned()).ok_or(NotScopes)).collect()
    }
}

/// `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )`
fn is_scope(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '\\')
}

impl<S: Into<String>> FromIterator<S> for Scopes {
    fn from_iter<I: IntoIterator<Item = S>>(scopes: I) -> Self {
        Self(scopes.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Scopes {
    /// The space-separated form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, scope) in self.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(f, "{space}{scope}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_space_separated_form_reads_back_sorted_and_once_each() {
        let scopes: Scopes = "things:run things:read things:run".parse().unwrap();
        assert_eq!(scopes.to_string(), "things:read things:run");
        assert!(scopes.contains("things:read") && !scopes.contains("things"));
    }

    #[test]
    fn what_no_scope_may_hold_is_refused() {
        for text in ["a\"b", "a\\b", "a\nb", "a  b", " a", "é"] {
            assert_eq!(text.parse::<Scopes>(), Err(NotScopes), "{text:?}");
        }
        assert_eq!("".parse(), Ok(Scopes::default()));
    }
}
