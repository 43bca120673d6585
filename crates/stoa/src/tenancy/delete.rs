//! The end of a workspace.

use stoa_identity::Workspace;
use stoa_identity::workspaces::{self, DeleteWorkspaceError};
use stoa_store::audit::Act;
use things::operations::forget_workspace;

use super::{Tenancy, sweep};

/// Deletes the workspace: nobody is let in from the next request on, and then every row and file of it is swept away.
/// What can't be deleted now is logged, and swept away within the hour.
///
/// # Errors
/// [`DeleteWorkspaceError`]; nothing was deleted then.
pub async fn delete(tenancy: &Tenancy, act: &Act, workspace: &Workspace) -> Result<(), DeleteWorkspaceError> {
    let installations = workspaces::delete(&tenancy.db, &tenancy.ambient, act, workspace).await?;
    let (tenancy, id) = (tenancy.clone(), workspace.id);
    // In a task of its own: it goes on where whoever asked goes away.
    let swept = tokio::spawn(async move {
        if let Err(error) = forget_workspace::forget_storage(&tenancy.things, id).await {
            tracing::warn!(%error, workspace = %id, "the storage of a deleted workspace is left in the data folder");
        }
        stoa_runs::forget_budgets(&tenancy.db, &installations).await?;
        sweep::sweep(&tenancy.db, id).await
    });
    match swept.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, workspace = %id, "a deleted workspace is swept away later"),
        Err(error) => tracing::error!(%error, workspace = %id, "a deleted workspace is swept away later"),
    }
    Ok(())
}
