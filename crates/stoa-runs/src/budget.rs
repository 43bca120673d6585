//! How many runs an installation may start in an hour. Windows are whole hours of the clock, so that
//! everybody can be told when the budget is full again.

use std::time::Duration;

use sqlx::query_scalar;
use stoa_base::{Ambient, InstallationId, Timestamp};
use stoa_store::{Database, StoreError, Tx, on, queries};

/// The length of a window.
pub(crate) const WINDOW: Duration = Duration::from_hours(1);

queries! {
    /// Debits one run unless the budget is spent. The first run of a window is never too many: a limit of
    /// zero is turned away before.
    DEBIT = "INSERT INTO run_budget (installation_id, window_start, used) VALUES ($1, $2, 1)
        ON CONFLICT (installation_id, window_start) DO UPDATE SET used = run_budget.used + 1
        WHERE run_budget.used < $3
        RETURNING used";
    /// What was debited in a window.
    USED = "SELECT used FROM run_budget WHERE installation_id = $1 AND window_start = $2";
}

/// An installation's budget in the present hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetState {
    /// Runs started in this hour.
    pub used: u32,
    /// Runs that may be started in an hour.
    pub limit: u32,
    /// When the next hour begins.
    pub resets_at: Timestamp,
    /// Milliseconds until another run may be started: zero while the budget is not spent.
    pub retry_after_ms: u64,
}

impl BudgetState {
    fn at(now: Timestamp, used: i64, limit: u32) -> Self {
        let used = u32::try_from(used).unwrap_or(u32::MAX);
        let resets_at = now.floor(WINDOW).plus(WINDOW);
        let wait = resets_at.since(now).as_micros().div_ceil(1000);
        let retry_after_ms = if used < limit { 0 } else { u64::try_from(wait).unwrap_or(u64::MAX) };
        Self { used, limit, resets_at, retry_after_ms }
    }
}

/// What is left of an installation's budget of `limit` runs an hour.
///
/// # Errors
/// [`StoreError::Database`] when the database could not be asked.
pub async fn budget(
    db: &Database,
    ambient: &Ambient,
    installation: InstallationId,
    limit: u32,
) -> Result<BudgetState, StoreError> {
    let now = ambient.now();
    let used: Option<i64> = on!(read db, c => query_scalar(USED)
        .bind(installation.uuid())
        .bind(now.floor(WINDOW).as_micros())
        .fetch_optional(c)
        .await)?;
    Ok(BudgetState::at(now, used.unwrap_or(0), limit))
}

/// Debits one run. `Some` when the budget is spent; nothing was debited then.
pub(crate) async fn debit(
    tx: &mut Tx,
    now: Timestamp,
    installation: InstallationId,
    limit: u32,
) -> Result<Option<BudgetState>, StoreError> {
    if limit == 0 {
        return Ok(Some(BudgetState::at(now, 0, limit)));
    }
    let window = now.floor(WINDOW).as_micros();
    let debited: Option<i64> = on!(tx tx, c => query_scalar(DEBIT)
        .bind(installation.uuid())
        .bind(window)
        .bind(i64::from(limit))
        .fetch_optional(c)
        .await)?;
    if debited.is_some() {
        return Ok(None);
    }
    let used: i64 = on!(tx tx, c => query_scalar(USED)
        .bind(installation.uuid())
        .bind(window)
        .fetch_one(c)
        .await)?;
    Ok(Some(BudgetState::at(now, used, limit)))
}
