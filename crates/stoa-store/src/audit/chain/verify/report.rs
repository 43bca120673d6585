//! What a look at the chains found, in words for whoever reads it.

use std::fmt;

use serde::Serialize;
use stoa_base::WorkspaceId;

/// What an intact report can't prove, in words for whoever reads one.
pub const LIMITS: &str = "\
An intact chain does not prove that nothing is missing: an entry that was dropped before it was linked (about a \
second after the call) leaves no gap; whoever has the secret key can forge a whole chain; and whoever puts back an \
older copy of the whole database, or empties a workspace's audit altogether, is found out only by a checkpoint \
from the log, given with --checkpoint.";

/// What was found in every workspace looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One for each workspace.
    pub workspaces: Vec<ChainReport>,
}

impl Report {
    /// Whether nothing was found. [`LIMITS`] says what that does not prove.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.workspaces.iter().all(|chain| chain.problem_count == 0)
    }
}

/// What was found in one workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChainReport {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Linked entries that are there.
    pub entries: u64,
    /// Entries that are not linked yet.
    pub unchained: i64,
    /// The position of the last linked entry that is there; 0 if none is.
    pub head_position: i64,
    /// That entry's link, in hexadecimal.
    pub head_mac: String,
    /// The first problems.
    pub problems: Vec<Problem>,
    /// How many problems there are.
    pub problem_count: u64,
}

/// One sign that the audit was tampered with (or damaged).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum Problem {
    /// The entry at this position is not the one that was linked (or the key is not the one it was linked
    /// with).
    Changed {
        /// The position in the chain.
        position: i64,
    },
    /// Linked entries are gone.
    Dropped {
        /// The first position that is gone.
        from: i64,
        /// The last one.
        to: i64,
    },
    /// The chain is shorter than it once was.
    Shortened {
        /// Who says so.
        witness: Witness,
        /// How long it was.
        position: i64,
    },
    /// The entry at this position has another link than it once had.
    Differs {
        /// Who says so.
        witness: Witness,
        /// The position in the chain.
        position: i64,
    },
    /// The recorded end of the chain was not written by who has the key, or lies before its last entry.
    EndForged,
    /// There are linked entries but no recorded end.
    EndMissing,
}

/// Who remembers how a chain was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Witness {
    /// The chain's recorded end.
    End,
    /// The last checkpoint, as the database remembers it.
    StoredCheckpoint,
    /// The checkpoint that was given.
    GivenCheckpoint,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::End => "the recorded end of the chain",
            Self::StoredCheckpoint => "the last checkpoint in the database",
            Self::GivenCheckpoint => "the given checkpoint",
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { position } => write!(f, "entry {position} was changed"),
            Self::Dropped { from, to } if from == to => write!(f, "entry {from} was dropped"),
            Self::Dropped { from, to } => write!(f, "entries {from} to {to} were dropped"),
            Self::Shortened { witness, position } => {
                write!(f, "the last entries were dropped: {witness} is at {position}")
            }
            Self::Differs { witness, position } => write!(f, "entry {position} is not the one of {witness}"),
            Self::EndForged => f.write_str("the recorded end of the chain was forged"),
            Self::EndMissing => f.write_str("the recorded end of the chain was dropped"),
        }
    }
}
