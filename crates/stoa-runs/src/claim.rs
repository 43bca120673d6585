//! Taking a run to work on it.

use std::time::Duration;

use serde_json::Value;
use sqlx::types::Json;
use sqlx::{query, query_as};
use stoa_base::Timestamp;
use stoa_store::{Database, StoreError, on, queries};
use uuid::Uuid;

use crate::hold::LEASE;
use crate::{Progress, RunId};

/// How often a run may be begun without getting on before it is given up.
pub(crate) const MAX_ATTEMPTS: i64 = 5;
/// How often workers look for runs unasked: finds lapsed leases, and what a lost ring would have told.
pub(crate) const POLL: Duration = Duration::from_secs(1);

queries! {
    /// Takes the oldest run that waits or whose lease lapsed, of the kinds `SERVICE/KIND` in the JSON array
    /// `$4`; only the run `$5` where that is given. On PostgreSQL, rows that another node is just taking, or
    /// that a work's transaction holds by its fence, are passed over rather than waited for.
    CLAIM = {
        sqlite: "UPDATE run SET status = 'running', lease_owner = $1, lease_until = $2, attempts = attempts + 1,
                started_at = COALESCE(started_at, $3), rate_since = $3, rate_done = progress_done
            WHERE id = (SELECT id FROM run
                WHERE status IN ('queued', 'running') AND (lease_until IS NULL OR lease_until <= $3)
                    AND service || '/' || kind IN (SELECT value FROM json_each($4))
                    AND (CAST($5 AS UUID) IS NULL OR id = $5)
                ORDER BY created_at, id LIMIT 1)
            RETURNING id, workspace_id, service, kind, target_id, payload, checkpoint, cancel_requested, attempts,
                progress_done, progress_total, progress_bytes",
        postgres: "UPDATE run SET status = 'running', lease_owner = $1, lease_until = $2, attempts = attempts + 1,
                started_at = COALESCE(started_at, $3), rate_since = $3, rate_done = progress_done
            WHERE id = (SELECT id FROM run
                WHERE status IN ('queued', 'running') AND (lease_until IS NULL OR lease_until <= $3)
                    AND CAST($4 AS JSONB) ? (service || '/' || kind)
                    AND (CAST($5 AS UUID) IS NULL OR id = $5)
                ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id, workspace_id, service, kind, target_id, payload, checkpoint, cancel_requested, attempts,
                progress_done, progress_total, progress_bytes",
    };
    /// Lets lapse what earlier incarnations of a node still hold: an owner is INCARNATION@NODE, and an
    /// incarnation 16 characters.
    LAPSE = "UPDATE run SET lease_until = $1
        WHERE status = 'running' AND substr(lease_owner, 18) = $2 AND lease_owner <> $3";
}

/// A run as its claim found it.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Claimed {
    pub(crate) id: Uuid,
    pub(crate) workspace_id: Uuid,
    pub(crate) service: String,
    pub(crate) kind: String,
    pub(crate) target_id: Option<Uuid>,
    pub(crate) payload: Json<Value>,
    pub(crate) checkpoint: Option<Json<Value>>,
    pub(crate) cancel_requested: bool,
    /// How often it was begun since it last got on, this time included.
    pub(crate) attempts: i64,
    progress_done: i64,
    progress_total: Option<i64>,
    progress_bytes: i64,
}

impl Claimed {
    /// How far earlier attempts came.
    pub(crate) fn progress(&self) -> Progress {
        let count = |stored| u64::try_from(stored).unwrap_or(0);
        Progress {
            done: count(self.progress_done),
            total: self.progress_total.map(count),
            bytes: count(self.progress_bytes),
        }
    }
}

/// Claims the oldest run of these kinds for `owner`, or `only` that one. `None`: there is nothing to take.
pub(crate) async fn claim(
    db: &Database,
    now: Timestamp,
    owner: &str,
    kinds: &[String],
    only: Option<RunId>,
) -> Result<Option<Claimed>, StoreError> {
    let mut tx = db.begin().await?;
    let text = tx.dialect().text(&CLAIM);
    let claimed: Option<Claimed> = on!(tx tx, c => query_as(text)
        .bind(owner)
        .bind(now.plus(LEASE).as_micros())
        .bind(now.as_micros())
        .bind(Json(kinds))
        .bind(only.map(|run| run.uuid()))
        .fetch_optional(c)
        .await)?;
    match claimed {
        Some(_) => tx.commit().await?,
        None => tx.rollback().await?,
    }
    Ok(claimed)
}

/// Makes what earlier incarnations of `node` hold free to be taken at once: they are dead, as this one runs.
pub(crate) async fn lapse_earlier(
    db: &Database,
    now: Timestamp,
    node: &str,
    owner: &str,
) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    on!(tx tx, c => query(LAPSE).bind(now.as_micros()).bind(node).bind(owner).execute(c).await.map(|_| ()))?;
    tx.commit().await
}

/// A new owner of leases: a node, and this incarnation of it.
pub(crate) fn owner(incarnation: [u8; 8], node: &str) -> String {
    format!("{:016x}@{node}", u64::from_be_bytes(incarnation))
}
