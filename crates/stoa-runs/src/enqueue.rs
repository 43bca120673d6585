//! Asking for a run.

use serde_json::Value;
use sqlx::types::Json;
use sqlx::{query, query_scalar};
use stoa_base::{AccountId, Ambient, InstallationId, Timestamp, WorkspaceId};
use stoa_store::{StoreError, Tx, on, queries};
use uuid::Uuid;

use crate::budget::debit;
use crate::{BudgetState, RUNS, RunId};

queries! {
    /// Writes the run, or finds the live one with its key. The update changes nothing: it is what makes the
    /// database lock that row and tell its id, however many ask at once.
    INSERT = "INSERT INTO run (id, workspace_id, service, kind, target_id, live_key, payload, status, starter,
            account_id, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9, $10)
        ON CONFLICT (workspace_id, live_key) WHERE status IN ('queued', 'running')
        DO UPDATE SET live_key = EXCLUDED.live_key
        RETURNING id";
    /// Lets an installation follow the live run that somebody else had started.
    FOLLOW = "INSERT INTO run_follower (run_id, installation_id)
        SELECT id, $2 FROM run WHERE id = $1 AND (starter IS NULL OR starter <> $2)
        ON CONFLICT (installation_id, run_id) DO NOTHING";
    /// Takes back a run that the budget did not allow.
    TAKE_BACK = "DELETE FROM run WHERE id = $1";
}

/// A run to be done.
#[derive(Clone, Debug)]
pub struct NewRun<'a> {
    /// The tenant it belongs to.
    pub workspace: WorkspaceId,
    /// The service whose work it is.
    pub service: &'a str,
    /// What kind of work, as the service's [`crate::Work`] names it.
    pub kind: &'a str,
    /// What it works on, in the service's own terms.
    pub target: Option<Uuid>,
    /// Of the workspace's runs with the same key one is live at a time: `things/sync/ID`.
    pub live_key: Option<String>,
    /// What the work needs to know.
    pub payload: Value,
    /// The installation that asks; its budget is debited.
    pub starter: Option<InstallationId>,
    /// The person on whose behalf it is.
    pub account: Option<AccountId>,
}

/// A run that will be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// A new one.
    New(RunId),
    /// The live one with the same key; nothing was debited.
    Live(RunId),
}

impl Enqueued {
    /// The run's id, whoever asked for it first.
    #[must_use]
    pub const fn id(self) -> RunId {
        match self {
            Self::New(id) | Self::Live(id) => id,
        }
    }
}

/// The run was not enqueued.
#[derive(Debug, thiserror::Error)]
pub enum EnqueueError {
    /// The installation's budget is spent. Nothing was debited, and the transaction may go on.
    #[error("{} of {} runs of this hour are started; the next may start at {}", .0.used, .0.limit, .0.resets_at)]
    OverBudget(BudgetState),
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Enqueues `run` in the caller's transaction and debits the starter's `budget` (runs an hour), if it has
/// one. Where a run with the same live key is queued or running, that one is the answer, and the starter may
/// follow it as if it had started it.
///
/// # Errors
/// [`EnqueueError::OverBudget`] when the starter's budget is spent.
pub async fn enqueue(
    tx: &mut Tx,
    ambient: &Ambient,
    run: &NewRun<'_>,
    budget: Option<u32>,
) -> Result<Enqueued, EnqueueError> {
    let now = ambient.now();
    let id = RunId::new(ambient);
    let stored = insert(tx, now, id, run).await?;
    if stored != id {
        if let Some(installation) = run.starter {
            follow(tx, stored, installation).await?;
        }
        return Ok(Enqueued::Live(stored));
    }
    if let (Some(installation), Some(limit)) = (run.starter, budget)
        && let Some(spent) = debit(tx, now, installation, limit).await?
    {
        take_back(tx, id).await?;
        return Err(EnqueueError::OverBudget(spent));
    }
    tx.wake(RUNS);
    Ok(Enqueued::New(id))
}

async fn insert(tx: &mut Tx, now: Timestamp, id: RunId, run: &NewRun<'_>) -> Result<RunId, StoreError> {
    let stored: Uuid = on!(tx tx, c => query_scalar(INSERT)
        .bind(id.uuid())
        .bind(run.workspace.uuid())
        .bind(run.service)
        .bind(run.kind)
        .bind(run.target)
        .bind(run.live_key.as_deref())
        .bind(Json(&run.payload))
        .bind(run.starter.map(|starter| starter.uuid()))
        .bind(run.account.map(|account| account.uuid()))
        .bind(now.as_micros())
        .fetch_one(c)
        .await)?;
    Ok(RunId::from_uuid(stored))
}

async fn follow(tx: &mut Tx, id: RunId, installation: InstallationId) -> Result<(), StoreError> {
    on!(tx tx, c => query(FOLLOW).bind(id.uuid()).bind(installation.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}

async fn take_back(tx: &mut Tx, id: RunId) -> Result<(), StoreError> {
    on!(tx tx, c => query(TAKE_BACK).bind(id.uuid()).execute(c).await.map(|_| ()))?;
    Ok(())
}
