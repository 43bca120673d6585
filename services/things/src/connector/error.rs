//! What can be wrong with a place.

use super::KINDS;

/// A place can't be configured, opened or listed. The texts are for the people who connected it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConnectorError {
    /// No connector has this name.
    #[error("connector: there is none named {name}; there are: {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// A setting can't be used.
    #[error("{name}: {problem}")]
    Setting {
        /// The setting.
        name: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// The place does not answer.
    #[error("{0}")]
    Unreachable(String),
    /// The listing broke off, so nothing can be said of what it did not name.
    #[error("the listing broke off")]
    BrokenOff,
}

impl ConnectorError {
    pub(crate) fn setting(name: &str, problem: impl Into<String>) -> Self {
        Self::Setting { name: name.to_owned(), problem: problem.into() }
    }
}

fn names() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// A content can't be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReadError {
    /// It is not there any more.
    #[error("it is gone")]
    Gone,
    /// It changed while it was read: it is left for the next sync.
    #[error("it was changed while it was read")]
    Unsettled,
    /// The place refuses or fails.
    #[error("{0}")]
    Unreadable(String),
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::Gone,
            _ => Self::Unreadable(error.to_string()),
        }
    }
}
