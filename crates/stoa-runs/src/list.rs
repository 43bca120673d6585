//! Looking at runs.

use sqlx::query_as;
use stoa_base::{AccountId, InstallationId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, on, queries};
use uuid::Uuid;

use crate::{ProgressReport, RunId, RunRow, RunStatus};

queries! {
    /// One page, newest first.
    PAGE = "SELECT id, workspace_id, service, kind, target_id, status, error, starter, account_id, created_at,
            started_at, finished_at, cancel_requested, progress_done, progress_total, progress_bytes, progress_at,
            rate_since, rate_done
        FROM run
        WHERE workspace_id = $1
            AND (CAST($2 AS UUID) IS NULL OR starter = $2
                OR id IN (SELECT run_id FROM run_follower WHERE installation_id = $2))
            AND (CAST($3 AS TEXT) IS NULL OR service = $3)
            AND (CAST($4 AS TEXT) IS NULL OR kind = $4)
            AND (CAST($5 AS TEXT) IS NULL OR status = $5)
            AND (CAST($6 AS BIGINT) IS NULL OR (created_at, id) < ($6, $7))
            AND (CAST($9 AS UUID) IS NULL OR account_id = $9)
        ORDER BY created_at DESC, id DESC
        LIMIT $8";
    /// One run.
    BY_ID = "SELECT id, workspace_id, service, kind, target_id, status, error, starter, account_id, created_at,
            started_at, finished_at, cancel_requested, progress_done, progress_total, progress_bytes, progress_at,
            rate_since, rate_done
        FROM run WHERE workspace_id = $1 AND id = $2";
}

/// Which runs of a workspace. What is `None` widens it.
#[derive(Clone, Debug)]
pub struct RunFilter<'a> {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Only what this installation started, or asked for while somebody else's live run was doing it.
    pub starter: Option<InstallationId>,
    /// Only what was started on behalf of this person.
    pub account: Option<AccountId>,
    /// Only this service's.
    pub service: Option<&'a str>,
    /// Only this kind.
    pub kind: Option<&'a str>,
    /// Only those that stand so.
    pub status: Option<RunStatus>,
    /// How many at most.
    pub limit: u32,
    /// Only those after this one in the list's order: `created_at` and `id` of the last page's last run.
    pub after: Option<(Timestamp, RunId)>,
}

impl RunFilter<'_> {
    /// All runs of a workspace, the newest 1,000.
    #[must_use]
    pub const fn of(workspace: WorkspaceId) -> Self {
        Self {
            workspace,
            starter: None,
            account: None,
            service: None,
            kind: None,
            status: None,
            limit: 1_000,
            after: None,
        }
    }
}

/// The runs that the filter lets through, newest first.
///
/// # Errors
/// [`StoreError`] when the database could not be read.
pub async fn list(db: &Database, filter: &RunFilter<'_>) -> Result<Vec<RunRow>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(PAGE)
        .bind(filter.workspace.uuid())
        .bind(filter.starter.map(|starter| starter.uuid()))
        .bind(filter.service)
        .bind(filter.kind)
        .bind(filter.status.map(RunStatus::as_str))
        .bind(filter.after.map(|(created_at, _)| created_at.as_micros()))
        .bind(filter.after.map(|(_, id)| id.uuid()))
        .bind(i64::from(filter.limit))
        .bind(filter.account.map(|account| account.uuid()))
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(Row::shown).collect()
}

/// One run of the workspace.
///
/// # Errors
/// [`StoreError`] when the database could not be read.
pub async fn get(db: &Database, workspace: WorkspaceId, run: RunId) -> Result<Option<RunRow>, StoreError> {
    let row: Option<Row> = on!(read db, c => query_as(BY_ID)
        .bind(workspace.uuid())
        .bind(run.uuid())
        .fetch_optional(c)
        .await)?;
    row.map(Row::shown).transpose()
}

/// The status that the database's word means.
pub(crate) fn status(word: &str) -> Result<RunStatus, StoreError> {
    word.parse().map_err(|_| StoreError::Unreadable { what: "run status", detail: word.to_owned() })
}

/// A run as the database has it.
#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    workspace_id: Uuid,
    service: String,
    kind: String,
    target_id: Option<Uuid>,
    status: String,
    error: Option<String>,
    starter: Option<Uuid>,
    account_id: Option<Uuid>,
    created_at: i64,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    cancel_requested: bool,
    progress_done: i64,
    progress_total: Option<i64>,
    progress_bytes: i64,
    progress_at: Option<i64>,
    rate_since: Option<i64>,
    rate_done: i64,
}

impl Row {
    fn shown(self) -> Result<RunRow, StoreError> {
        let status = status(&self.status)?;
        Ok(RunRow {
            id: RunId::from_uuid(self.id),
            workspace: WorkspaceId::from_uuid(self.workspace_id),
            target: self.target_id,
            status,
            starter: self.starter.map(InstallationId::from_uuid),
            account: self.account_id.map(AccountId::from_uuid),
            created_at: Timestamp::from_micros(self.created_at),
            started_at: self.started_at.map(Timestamp::from_micros),
            finished_at: self.finished_at.map(Timestamp::from_micros),
            cancel_requested: self.cancel_requested,
            progress: self.progress(status),
            service: self.service,
            kind: self.kind,
            error: self.error,
        })
    }

    fn progress(&self, status: RunStatus) -> ProgressReport {
        let rate = self.rate();
        let total = self.progress_total.map(count);
        let left = total.map(|total| total.saturating_sub(count(self.progress_done)));
        let eta_seconds = left.zip(rate).filter(|_| status == RunStatus::Running).and_then(seconds);
        ProgressReport {
            done: count(self.progress_done),
            total,
            bytes: count(self.progress_bytes),
            rate,
            eta_seconds,
        }
    }

    /// Objects a second since the present attempt began. Unknown before its first sign of life.
    fn rate(&self) -> Option<f64> {
        let (since, at) = self.rate_since.zip(self.progress_at)?;
        let elapsed = Timestamp::from_micros(at).since(Timestamp::from_micros(since)).as_secs_f64();
        let done = count(self.progress_done.saturating_sub(self.rate_done));
        (elapsed > 0.0).then(|| float(done) / elapsed)
    }
}

/// How long so many objects take at so many a second, rounded up to whole seconds.
fn seconds((left, rate): (u64, f64)) -> Option<u64> {
    let seconds = std::time::Duration::try_from_secs_f64(float(left) / rate).ok()?;
    Some(seconds.as_secs() + u64::from(seconds.subsec_nanos() > 0))
}

/// A count as the database has it: never negative, as it was written from a `u64`.
fn count(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or(0)
}

#[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 52 bits")]
const fn float(count: u64) -> f64 {
    count as f64
}
