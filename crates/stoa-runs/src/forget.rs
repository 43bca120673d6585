//! The end of a workspace's runs, with the workspace.

use sqlx::query;
use stoa_base::{InstallationId, WorkspaceId};
use stoa_store::{Database, StoreError, on, queries, sweep};

queries! {
    /// A batch of runs; who followed them goes with them.
    RUNS = "DELETE FROM run WHERE id IN (SELECT id FROM run WHERE workspace_id = $1 LIMIT 1000)";
    /// What an installation used.
    BUDGETS = "DELETE FROM run_budget WHERE installation_id = $1";
}

/// Deletes every run of a workspace that is gone. Whoever works on one loses its hold, as where another node had taken
/// it over.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn forget(db: &Database, workspace: WorkspaceId) -> Result<(), StoreError> {
    sweep(db, RUNS, workspace).await
}

/// Deletes what these installations used of their budgets.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn forget_budgets(db: &Database, installations: &[InstallationId]) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    for installation in installations {
        on!(tx tx, c => query(BUDGETS).bind(installation.uuid()).execute(c).await.map(|_| ()))?;
    }
    tx.commit().await
}
