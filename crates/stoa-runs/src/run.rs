//! What a run is, and what is shown of it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use stoa_base::{AccountId, Id, InstallationId, Timestamp, WorkspaceId};
use uuid::Uuid;

/// What a [`RunId`] is the id of.
#[derive(Debug)]
pub enum Run {}

/// The id of a run.
pub type RunId = Id<Run>;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// It waits for a worker: new, or handed back by a node that stopped.
    Queued,
    /// A worker has it, or had it and died: then another takes it when the lease lapses.
    Running,
    /// It came to its end.
    Done,
    /// It could not be done; the run's `error` says why.
    Failed,
    /// Somebody asked it to stop. What was done stays done.
    Cancelled,
}

impl RunStatus {
    /// The word for it, in the database and in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens to the run.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// The text names no status of a run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a run is queued, running, done, failed or cancelled")]
pub struct UnknownStatus;

impl FromStr for RunStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or(UnknownStatus)
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Objects dealt with.
    pub done: u64,
    /// Objects there are, once that is known.
    pub total: Option<u64>,
    /// Bytes read or written.
    pub bytes: u64,
}

/// How far a run is, as lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProgressReport {
    /// Objects dealt with.
    pub done: u64,
    /// Objects there are, once that is known.
    pub total: Option<u64>,
    /// Bytes read or written.
    pub bytes: u64,
    /// Objects a second since the present (or last) attempt began, by its last sign of life.
    pub rate: Option<f64>,
    /// Seconds until the end at that rate, while the run is running.
    pub eta_seconds: Option<u64>,
}

/// A run as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Its id.
    pub id: RunId,
    /// The tenant it belongs to.
    pub workspace: WorkspaceId,
    /// The service whose work it is.
    pub service: String,
    /// What kind of work: `sync`, `export`, `analyze`.
    pub kind: String,
    /// What it works on, in the service's own terms.
    pub target: Option<Uuid>,
    /// Where it stands.
    pub status: RunStatus,
    /// Why it failed, in words for people.
    pub error: Option<String>,
    /// The installation that started it.
    pub starter: Option<InstallationId>,
    /// The person on whose behalf it was started.
    pub account: Option<AccountId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was first begun.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Whether somebody asked it to stop.
    pub cancel_requested: bool,
    /// How far it is.
    pub progress: ProgressReport,
}
