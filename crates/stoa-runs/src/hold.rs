//! A node's hold on a run. Every statement here does nothing once another node has taken the run over.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use sqlx::types::Json;
use sqlx::{query, query_scalar};
use stoa_base::Timestamp;
use stoa_store::{Database, StoreError, Tx, on, queries};

use crate::{Progress, RUNS, RunId, RunStatus};

/// How long a run is its worker's without a sign of life.
pub(crate) const LEASE: Duration = Duration::from_secs(15);

queries! {
    /// Whether the run is still ours; on PostgreSQL it stays so until the transaction ends. On SQLite a
    /// writing transaction has the whole database anyway.
    FENCE = {
        sqlite: "SELECT 1 FROM run WHERE id = $1 AND lease_owner = $2 AND status = 'running'",
        postgres: "SELECT 1 FROM run WHERE id = $1 AND lease_owner = $2 AND status = 'running' FOR UPDATE",
    };
    /// Whether it is ours, and whether somebody asked it to stop.
    LOOK = "SELECT cancel_requested FROM run WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    /// Where the next attempt goes on.
    CHECKPOINT = "UPDATE run SET checkpoint = $3,
            attempts = CASE WHEN checkpoint IS DISTINCT FROM $3 THEN 0 ELSE attempts END
        WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    /// A sign of life. An attempt counts as getting on only beyond the furthest point of all before it: a run
    /// that begins anew each time and dies at the same object must not live for ever.
    BEAT = "UPDATE run SET lease_until = $3, progress_done = $4, progress_total = $5, progress_bytes = $6,
            progress_at = $7,
            rate_done = CASE WHEN $4 < rate_done THEN $4 ELSE rate_done END,
            attempts = CASE WHEN $4 > furthest THEN 0 ELSE attempts END,
            furthest = CASE WHEN $4 > furthest THEN $4 ELSE furthest END
        WHERE id = $1 AND lease_owner = $2 AND status = 'running'
        RETURNING cancel_requested";
    /// It ended.
    END = "UPDATE run SET status = $3, error = $4, finished_at = $5, lease_owner = NULL, lease_until = NULL
        WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    /// It goes on elsewhere. An attempt that its node cut short is not held against it.
    HAND_BACK = "UPDATE run SET status = 'queued', lease_owner = NULL, lease_until = NULL,
            attempts = CASE WHEN $3 AND attempts > 0 THEN attempts - 1 ELSE attempts END
        WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
}

/// How a node's hold on a run ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All was done.
    Done,
    /// Somebody asked it to stop, and it did.
    Cancelled,
    /// It failed, for this reason in words for people.
    Failed(String),
    /// It waits for another worker.
    HandedBack {
        /// Whether its node asked it to stop.
        asked: bool,
    },
}

/// The run and who holds it.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) run: RunId,
    pub(crate) owner: Arc<str>,
}

impl Hold {
    pub(crate) async fn fence(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        let text = tx.dialect().text(&FENCE);
        let ours: Option<i32> = on!(tx tx, c => query_scalar(text)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .fetch_optional(c)
            .await)?;
        Ok(ours.is_some())
    }

    pub(crate) async fn save_checkpoint(&self, tx: &mut Tx, checkpoint: Value) -> Result<bool, StoreError> {
        let saved = on!(tx tx, c => query(CHECKPOINT)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .bind(Json(checkpoint))
            .execute(c)
            .await
            .map(|saved| saved.rows_affected()))?;
        Ok(saved > 0)
    }

    /// Whether somebody asked the run to stop; `None` when it is ours no longer.
    pub(crate) async fn look(&self, db: &Database) -> Result<Option<bool>, StoreError> {
        Ok(on!(read db, c => query_scalar(LOOK)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .fetch_optional(c)
            .await)?)
    }

    /// Renews the lease and shows the progress; answers like [`Self::look`].
    pub(crate) async fn beat(
        &self,
        tx: &mut Tx,
        now: Timestamp,
        progress: Progress,
    ) -> Result<Option<bool>, StoreError> {
        Ok(on!(tx tx, c => query_scalar(BEAT)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .bind(now.plus(LEASE).as_micros())
            .bind(stored(progress.done))
            .bind(progress.total.map(stored))
            .bind(stored(progress.bytes))
            .bind(now.as_micros())
            .fetch_optional(c)
            .await)?)
    }

    /// Ends the hold, with the last progress. `false` when it had ended before.
    pub(crate) async fn end(
        &self,
        db: &Database,
        now: Timestamp,
        progress: Progress,
        end: &End,
    ) -> Result<bool, StoreError> {
        let mut tx = db.begin().await?;
        if self.beat(&mut tx, now, progress).await?.is_none() {
            return Ok(false);
        }
        match end {
            End::Done => self.write_end(&mut tx, now, RunStatus::Done, None).await?,
            End::Cancelled => self.write_end(&mut tx, now, RunStatus::Cancelled, None).await?,
            End::Failed(error) => self.write_end(&mut tx, now, RunStatus::Failed, Some(error)).await?,
            End::HandedBack { asked } => self.hand_back(&mut tx, *asked).await?,
        }
        tx.wake(RUNS);
        tx.commit().await?;
        Ok(true)
    }

    async fn write_end(
        &self,
        tx: &mut Tx,
        now: Timestamp,
        status: RunStatus,
        error: Option<&str>,
    ) -> Result<(), StoreError> {
        on!(tx tx, c => query(END)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .bind(status.as_str())
            .bind(error)
            .bind(now.as_micros())
            .execute(c)
            .await
            .map(|_| ()))?;
        Ok(())
    }

    async fn hand_back(&self, tx: &mut Tx, asked: bool) -> Result<(), StoreError> {
        on!(tx tx, c => query(HAND_BACK)
            .bind(self.run.uuid())
            .bind(&*self.owner)
            .bind(asked)
            .execute(c)
            .await
            .map(|_| ()))?;
        Ok(())
    }
}

/// A count as the database keeps it.
fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
