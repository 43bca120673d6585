//! The address that names an account.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// The longest address, in bytes (RFC 5321 section 4.5.3.1.3: a path of 256 less its brackets).
const MAX_EMAIL: usize = 254;

/// An email address, folded to lower case: `Ann@Example.com` and `ann@example.com` are one person.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// The folded address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands behind the `@`.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.0.split_once('@').map_or("", |(_, domain)| domain)
    }
}

/// The text is not an email address.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected an email address such as ann@example.com")]
pub struct NotAnEmail;

impl FromStr for Email {
    type Err = NotAnEmail;

    /// Takes whatever has one `@` with something on both sides, no spaces and no control characters; whether
    /// mail arrives there, no grammar can tell. Surrounding white space is dropped.
    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let folded = text.trim().to_lowercase();
        let (local, domain) = folded.split_once('@').ok_or(NotAnEmail)?;
        let sound = !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && folded.len() <= MAX_EMAIL
            && !folded.chars().any(|c| c.is_whitespace() || c.is_control());
        sound.then_some(Self(folded)).ok_or(NotAnEmail)
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_surrounding_space_make_no_difference() {
        let folded: Email = " Ann@Example.COM\n".parse().unwrap();
        assert_eq!(folded, "ann@example.com".parse().unwrap());
        assert_eq!(folded.domain(), "example.com");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(MAX_EMAIL));
        for text in ["", "ann", "@example.com", "ann@", "a@b@c", "a nn@example.com", "a\0@b", &long] {
            assert_eq!(text.parse::<Email>(), Err(NotAnEmail), "{text:?}");
        }
    }
}
