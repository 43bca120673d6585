//! The places where things live, and how fresh and how complete what is known of them is.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_runs::{RunFilter, RunRow, RunStatus};
use stoa_store::{Database, StoreError};

use super::rights::SeeResources;
use super::{Things, ThingsError, may};
use crate::model::ResourceId;
use crate::store::resource::{self, ResourceRow};

/// A resource as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct ListedResource {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The connector that reaches it.
    pub connector: String,
    /// Whether exports go here when told nothing.
    pub default: bool,
    /// How its syncs stand.
    pub sync: SyncState,
}

/// How the syncs of a resource stand.
#[derive(Clone, Debug, Serialize)]
pub struct SyncState {
    /// `never`, `queued`, `running`, `done`, or `failed` where the last one failed.
    pub state: &'static str,
    /// When the last one ended well.
    pub last_at: Option<Timestamp>,
    /// When the next one is due; null where the connector watches for changes.
    pub next_at: Option<Timestamp>,
    /// What the last one counted.
    pub counts: Option<Value>,
    /// What was wrong with it.
    pub error: Option<String>,
}

/// How much of the caller's places is catalogued.
#[derive(Clone, Debug, Serialize)]
pub struct Completeness {
    /// Places that were synced to the end at least once.
    pub synced: usize,
    /// Places there are.
    pub of: usize,
    /// When the one synced longest ago was synced.
    pub oldest_sync: Option<Timestamp>,
}

/// Lists the resources within the caller's reach.
///
/// # Errors
/// [`ThingsError::Denied`] without the right.
pub async fn list_resources(
    things: &Things,
    caller: &Arc<Caller>,
) -> Result<Vec<ListedResource>, ThingsError> {
    let may = may::in_workspace::<SeeResources>(caller)?;
    let live = live_syncs(things.db(), may.caller()).await?;
    let rows = reachable(things.db(), may.caller()).await?;
    Ok(rows.into_iter().map(|row| listed(row, &live)).collect())
}

/// How complete an answer from the catalog is for this caller. The default storage counts once something
/// lies in it.
pub(crate) async fn completeness(db: &Database, caller: &Caller) -> Result<Completeness, StoreError> {
    let mut counted = Vec::new();
    for row in reachable(db, caller).await? {
        if !row.is_default || resource::has_references(db, row.id).await? {
            counted.push(row.synced_at);
        }
    }
    Ok(Completeness {
        of: counted.len(),
        synced: counted.iter().flatten().count(),
        oldest_sync: counted.into_iter().flatten().min(),
    })
}

async fn reachable(db: &Database, caller: &Caller) -> Result<Vec<ResourceRow>, StoreError> {
    let mut rows = resource::of_workspace(db, caller.workspace).await?;
    rows.retain(|row| caller.reach.includes(row.id.uuid()));
    Ok(rows)
}

/// What is being synced or waits to be.
async fn live_syncs(db: &Database, caller: &Caller) -> Result<HashMap<ResourceId, RunStatus>, StoreError> {
    let mut live = HashMap::new();
    for status in [RunStatus::Queued, RunStatus::Running] {
        let filter = RunFilter {
            service: Some(crate::NAME),
            kind: Some("sync"),
            status: Some(status),
            ..RunFilter::of(caller.workspace)
        };
        let runs = stoa_runs::list(db, &filter).await?;
        live.extend(runs.iter().filter_map(target).map(|resource| (resource, status)));
    }
    Ok(live)
}

fn target(run: &RunRow) -> Option<ResourceId> {
    run.target.map(ResourceId::from_uuid)
}

fn listed(row: ResourceRow, live: &HashMap<ResourceId, RunStatus>) -> ListedResource {
    let state = match live.get(&row.id) {
        Some(status) => status.as_str(),
        None if row.sync_counts.is_none() && row.sync_error.is_some() => "failed",
        None if row.synced_at.is_none() => "never",
        None => "done",
    };
    ListedResource {
        id: row.id,
        name: row.name,
        connector: row.connector,
        default: row.is_default,
        sync: SyncState {
            state,
            last_at: row.synced_at,
            next_at: None,
            counts: row.sync_counts,
            error: row.sync_error,
        },
    }
}
