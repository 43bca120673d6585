//! A tenant and its name.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use stoa_base::{Timestamp, WorkspaceId};

/// The longest name, in characters.
const MAX_NAME: usize = 40;

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name, as in its URLs.
    pub name: WorkspaceName,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A workspace's name: `[a-z0-9][a-z0-9-]{0,39}`, fit for `/w/{name}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct WorkspaceName(String);

impl WorkspaceName {
    /// The name of the workspace that the first start makes: `default`.
    #[must_use]
    pub fn of_default() -> Self {
        Self("default".to_owned())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text can't be a workspace's name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a workspace's name has 1 to 40 lower-case letters, digits and hyphens, and begins with no hyphen")]
pub struct NotAWorkspaceName;

impl FromStr for WorkspaceName {
    type Err = NotAWorkspaceName;

    fn from_str(text: &str) -> Result<Self, NotAWorkspaceName> {
        let sound = (1..=MAX_NAME).contains(&text.len())
            && !text.starts_with('-')
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        sound.then(|| Self(text.to_owned())).ok_or(NotAWorkspaceName)
    }
}

impl fmt::Display for WorkspaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_names_and_nothing_else_is() {
        for name in ["a", "7", "acme-2", &"a".repeat(MAX_NAME), "default"] {
            assert_eq!(name.parse::<WorkspaceName>().unwrap().as_str(), name);
        }
        for text in ["", "-a", "Acme", "a_b", "a/b", "..", "é", &"a".repeat(MAX_NAME + 1)] {
            assert_eq!(text.parse::<WorkspaceName>(), Err(NotAWorkspaceName), "{text:?}");
        }
    }
}
