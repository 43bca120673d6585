//! The address that names an account.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use stoa_base::text::visible;

/// The longest address, in bytes (RFC 5321 section 4.5.3.1.3: a path of 256 less its brackets).
const MAX_EMAIL: usize = 254;

/// An email address, its ASCII letters folded to lower case: `Ann@Example.com` and `ann@example.com` are one person.
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

    /// Takes whatever has one `@` with something on both sides, no spaces and nothing that can't be seen; whether
    /// mail arrives there, no grammar can tell. Surrounding white space is dropped. Letters beyond ASCII stay as they
    /// are: folded, the Kelvin sign would be a `k`, and its holder somebody else.
    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let folded = text.trim().to_ascii_lowercase();
        let (local, domain) = folded.split_once('@').ok_or(NotAnEmail)?;
        let sound = !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && folded.len() <= MAX_EMAIL
            && !folded.chars().any(char::is_whitespace)
            && visible(&folded) == folded;
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
    fn letters_that_only_look_alike_are_somebody_elses() {
        for other in ["mi\u{212a}e@example.com", "\u{fb01}nn@example.com", "ann@\u{ff45}xample.com"] {
            let other: Email = other.parse().unwrap();
            assert!(!other.as_str().is_ascii(), "{other}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.com", "a".repeat(MAX_EMAIL));
        for text in [
            "",
            "ann",
            "@example.com",
            "ann@",
            "a@b@c",
            "a nn@example.com",
            "a\0@b",
            "ann@example.com\u{200b}",
            "\u{202e}ann@example.com",
            &long,
        ] {
            assert_eq!(text.parse::<Email>(), Err(NotAnEmail), "{text:?}");
        }
    }
}
