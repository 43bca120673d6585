//! The audit, as a person reads it.

use serde::Serialize;
use serde_json::Value;
use stoa_base::{AccountId, Id, InstallationId, Timestamp};
use stoa_store::audit::{Channel, Status};

use crate::Email;

/// Marks the ids of entries.
#[derive(Debug)]
pub enum ActivityRow {}

/// The id of an entry.
pub type ActivityId = Id<ActivityRow>;

/// Which entries are wanted: those that meet everything said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityFilter {
    /// Of this agent.
    pub installation: Option<InstallationId>,
    /// Of this tool or act.
    pub tool: Option<String>,
    /// That ended so.
    pub status: Option<Status>,
    /// Begun at or after this.
    pub from: Option<Timestamp>,
    /// Begun before this.
    pub until: Option<Timestamp>,
}

/// Where a page of entries ends: the next one begins with what came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityPlace {
    /// When its last entry began.
    pub at: Timestamp,
    /// Which that is, of those that began at once.
    pub id: ActivityId,
}

/// One act.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Activity {
    /// Its id.
    pub id: ActivityId,
    /// When it began.
    pub at: Timestamp,
    /// The front door.
    pub channel: Channel,
    /// The tool, as its caller named it, or what the page or command does.
    pub tool: String,
    /// How it ended.
    pub status: Status,
    /// The error's code, as the caller got it.
    pub code: Option<String>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// Its arguments as the audit has them, where they are the reader's own.
    pub arguments: Option<Value>,
    /// The agent.
    pub installation: Option<InstallationId>,
    /// What its person calls that agent.
    pub agent: Option<String>,
    /// The person.
    pub account: Option<AccountId>,
    /// The person's address.
    pub email: Option<Email>,
    /// The client, as it names itself.
    pub client: Option<String>,
}

impl Activity {
    /// Where a page ends that ends with it.
    #[must_use]
    pub const fn place(&self) -> ActivityPlace {
        ActivityPlace { at: self.at, id: self.id }
    }
}

/// What an agent did lately with one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doing {
    /// The tool.
    pub tool: String,
    /// How often it did what was asked.
    pub done: u64,
    /// How often it was refused or failed.
    pub refused: u64,
}
