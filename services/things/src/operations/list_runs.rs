//! What the work that one's installation started is doing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stoa_base::Timestamp;
use stoa_identity::{Caller, Role};
use stoa_runs::{ProgressReport, RunFilter, RunId, RunRow, RunStatus};
use stoa_store::audit::Credential;

use super::rights::SeeRuns;
use super::{Things, ThingsError, may};
use crate::model::ResourceId;

/// What is asked.
#[derive(Clone, Debug)]
pub struct ListRuns {
    /// Only this kind: `sync`, `export`, `analyze`.
    pub kind: Option<String>,
    /// Only those that stand so.
    pub status: Option<RunStatus>,
    /// How many at most, 1 to 200.
    pub limit: u32,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// One page of runs.
#[derive(Clone, Debug, Serialize)]
pub struct ListedRuns {
    /// Newest first.
    pub runs: Vec<ListedRun>,
    /// What is left of this hour's budget.
    pub budget: Budget,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A run as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct ListedRun {
    /// Its id.
    pub id: RunId,
    /// `sync`, `export`, `analyze`.
    pub kind: String,
    /// Where it stands.
    pub status: RunStatus,
    /// The resource it works on; null for an analysis.
    pub resource_id: Option<ResourceId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// How far it is.
    pub progress: ProgressReport,
    /// Why it failed.
    pub error: Option<String>,
}

/// Runs of this hour.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Budget {
    /// Started.
    pub used: u32,
    /// May be started.
    pub limit: u32,
    /// When the next hour begins.
    pub resets_at: Timestamp,
}

/// Where a page ended.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Place(i64, RunId);

/// Lists the runs that the caller's installation started, or waits for; for a person on their own pages those of all
/// their agents.
///
/// # Errors
/// [`ThingsError::Argument`] for a cursor of another list, [`ThingsError::Denied`] without the right.
pub async fn list_runs(
    things: &Things,
    caller: &Arc<Caller>,
    asked: &ListRuns,
) -> Result<ListedRuns, ThingsError> {
    let may = may::in_workspace::<SeeRuns>(caller)?;
    let caller = may.caller();
    let context = format!("list_runs/{}/{:?}/{:?}", caller.installation, asked.kind, asked.status);
    let after: Option<Place> = things.place(&context, asked.cursor.as_deref())?;
    let filter = RunFilter {
        service: Some(crate::NAME),
        kind: asked.kind.as_deref(),
        status: asked.status,
        limit: asked.limit + 1,
        after: after.map(|Place(created_at, id)| (Timestamp::from_micros(created_at), id)),
        ..whose(caller)
    };
    let mut rows = stoa_runs::list(things.db(), &filter).await?;
    let limit = usize::try_from(asked.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| more).map(|row| Place(row.created_at.as_micros(), row.id));
    Ok(ListedRuns {
        next_cursor: last.map(|place| things.cursors().seal(&context, &place)),
        budget: budget(things, caller).await?,
        runs: rows.into_iter().map(ListedRun::from).collect(),
    })
}

/// An agent sees the runs of its installation; a person on their own pages those of all their agents, an admin
/// everybody's.
fn whose(caller: &Caller) -> RunFilter<'static> {
    let all = RunFilter::of(caller.workspace);
    match (caller.credential, caller.role) {
        (Credential::Session, Role::Admin | Role::Owner) => all,
        (Credential::Session, Role::Member) => RunFilter { account: Some(caller.account), ..all },
        _ => RunFilter { starter: Some(caller.installation), ..all },
    }
}

/// What is left of the caller's budget.
pub(crate) async fn budget(things: &Things, caller: &Caller) -> Result<Budget, ThingsError> {
    let limit = caller.run_budget.unwrap_or(things.settings().run_budget);
    let state = stoa_runs::budget(things.db(), things.ambient(), caller.installation, limit).await?;
    Ok(Budget { used: state.used, limit: state.limit, resets_at: state.resets_at })
}

impl From<RunRow> for ListedRun {
    fn from(row: RunRow) -> Self {
        let on_resource = row.kind != "analyze";
        Self {
            id: row.id,
            status: row.status,
            resource_id: row.target.filter(|_| on_resource).map(ResourceId::from_uuid),
            kind: row.kind,
            created_at: row.created_at,
            progress: row.progress,
            error: row.error,
        }
    }
}
