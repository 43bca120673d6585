//! Checkpoints: where a chain stood at some moment, in one line to be kept outside the database.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sqlx::{query, query_as};
use stoa_base::{Ambient, Timestamp, WorkspaceId};
use uuid::Uuid;

use crate::{Database, StoreError, on, queries};

queries! {
    /// Chains that went on since their last checkpoint, and when that was long ago.
    DUE = "SELECT workspace_id, position, mac FROM audit_chain
        WHERE position > checkpoint_position AND checkpoint_at <= $1";
    /// Notes the checkpoint, unless another node was faster.
    NOTE = "UPDATE audit_chain SET checkpoint_position = $2, checkpoint_mac = $3, checkpoint_at = $4
        WHERE workspace_id = $1 AND checkpoint_position < $2";
}

/// A chain's end at some moment, written `WORKSPACE_ID:POSITION:MAC` (the last in hexadecimal). Given to
/// [`super::verify()`] later, it proves that nothing up to there was changed or dropped, even by somebody who
/// put back an older copy of the whole database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose chain.
    pub workspace: WorkspaceId,
    /// The position of the last linked entry, from 1.
    pub position: i64,
    /// That entry's link.
    pub mac: Vec<u8>,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.workspace, self.position, hex::encode(&self.mac))
    }
}

/// The text is not a checkpoint.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected a checkpoint as the log shows it: WORKSPACE_ID:POSITION:MAC")]
pub struct NotACheckpoint;

impl FromStr for Checkpoint {
    type Err = NotACheckpoint;

    fn from_str(text: &str) -> Result<Self, NotACheckpoint> {
        let mut parts = text.trim().splitn(3, ':');
        let mut part = || parts.next().ok_or(NotACheckpoint);
        Ok(Self {
            workspace: part()?.parse().map_err(|_| NotACheckpoint)?,
            position: part()?.parse().map_err(|_| NotACheckpoint)?,
            mac: hex::decode(part()?).map_err(|_| NotACheckpoint)?,
        })
    }
}

/// Notes and logs a checkpoint of each chain that went on and whose last one is older than `age`. Of several
/// nodes that do this at once, one logs.
pub(super) async fn checkpoint(db: &Database, ambient: &Ambient, age: Duration) -> Result<(), StoreError> {
    let now = ambient.now();
    let before = now.minus(age).as_micros();
    let due: Vec<(Uuid, i64, Vec<u8>)> = on!(read db, c => query_as(DUE).bind(before).fetch_all(c).await)?;
    for (workspace, position, mac) in due {
        let checkpoint = Checkpoint { workspace: WorkspaceId::from_uuid(workspace), position, mac };
        if note(db, &checkpoint, now).await? {
            tracing::info!(target: "audit.checkpoint", %checkpoint, "audit checkpoint {checkpoint}");
        }
    }
    Ok(())
}

/// Notes one; false when another node was faster.
async fn note(db: &Database, checkpoint: &Checkpoint, now: Timestamp) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let noted = on!(tx tx, c => query(NOTE)
        .bind(checkpoint.workspace.uuid())
        .bind(checkpoint.position)
        .bind(&checkpoint.mac)
        .bind(now.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    tx.commit().await?;
    Ok(noted > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_reads_back_from_its_line() {
        let text = "0192f3a1-b2c3-7def-8a01-23456789abcd:12:00ff";
        let checkpoint: Checkpoint = text.parse().unwrap();
        assert_eq!((checkpoint.position, checkpoint.mac.as_slice()), (12, &[0, 255][..]));
        assert_eq!(checkpoint.to_string(), text);
    }

    #[test]
    fn other_text_is_no_checkpoint() {
        for text in [
            "",
            "a:1:00",
            "0192f3a1-b2c3-7def-8a01-23456789abcd:1",
            "0192f3a1-b2c3-7def-8a01-23456789abcd:x:00",
        ] {
            assert_eq!(text.parse::<Checkpoint>(), Err(NotACheckpoint));
        }
    }
}
