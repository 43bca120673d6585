//! From a workspace's name to its id.

use dashmap::DashMap;
use stoa_base::WorkspaceId;
use stoa_identity::WorkspaceName;
use stoa_store::{Database, StoreError};

/// The ids looked up so far. Neither a name nor an id ever changes, so what was found stays found.
#[derive(Debug)]
pub(crate) struct Workspaces {
    db: Database,
    found: DashMap<WorkspaceName, WorkspaceId>,
}

impl Workspaces {
    pub fn new(db: Database) -> Self {
        Self { db, found: DashMap::new() }
    }

    /// The id of the workspace with this name.
    pub async fn id(&self, name: &WorkspaceName) -> Result<Option<WorkspaceId>, StoreError> {
        if let Some(id) = self.found.get(name) {
            return Ok(Some(*id));
        }
        let workspace = stoa_identity::workspaces::by_name(&self.db, name).await?;
        Ok(workspace.map(|workspace| {
            self.found.insert(name.clone(), workspace.id);
            workspace.id
        }))
    }
}
