//! From a workspace's name to its id.

use std::time::Duration;

use dashmap::DashMap;
use stoa_base::{Ambient, Timestamp, WorkspaceId};
use stoa_identity::{WORKSPACES, WorkspaceName};
use stoa_store::{Database, StoreError};
use tokio::sync::watch;

/// How long what was looked up is good where a ring is lost.
const HOLD: Duration = Duration::from_secs(10);

/// The ids looked up lately. A name is another workspace's only after the first was deleted, which is rung.
#[derive(Debug)]
pub(crate) struct Workspaces {
    db: Database,
    ambient: Ambient,
    found: DashMap<WorkspaceName, Found>,
    rings: watch::Receiver<u64>,
}

/// An id, and when it was looked up: by the clock and by the count of rings until then.
#[derive(Clone, Copy, Debug)]
struct Found {
    id: WorkspaceId,
    at: Timestamp,
    rings: u64,
}

impl Workspaces {
    pub fn new(db: Database, ambient: Ambient) -> Self {
        let rings = db.wakeups().subscribe(WORKSPACES);
        Self { db, ambient, found: DashMap::new(), rings }
    }

    /// The id of the workspace with this name.
    pub async fn id(&self, name: &WorkspaceName) -> Result<Option<WorkspaceId>, StoreError> {
        // Taken before the look-up, so that what changes during it counts as changed since.
        let (at, rings) = (self.ambient.now(), *self.rings.borrow());
        let held = self.found.get(name).map(|found| *found);
        if let Some(found) = held.filter(|found| found.rings == rings && at.since(found.at) < HOLD) {
            return Ok(Some(found.id));
        }
        let workspace = stoa_identity::workspaces::by_name(&self.db, name).await?;
        match &workspace {
            Some(workspace) => self.found.insert(name.clone(), Found { id: workspace.id, at, rings }),
            None => self.found.remove(name).map(|(_, found)| found),
        };
        Ok(workspace.map(|workspace| workspace.id))
    }
}
