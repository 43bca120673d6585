//! All that a workspace has in the tables of this crate.

use sqlx::types::Uuid;
use sqlx::{query, query_scalar};
use stoa_base::{InstallationId, WorkspaceId};
use stoa_store::{StoreError, Tx, on, queries};

queries! {
    /// Waits for every transaction that adds something to the workspace, and lets none begin.
    HOLD = {
        sqlite: "SELECT id FROM workspace WHERE id = $1",
        postgres: "SELECT id FROM workspace WHERE id = $1 FOR UPDATE",
    };
    INSTALLATION_IDS = "SELECT id FROM installation WHERE workspace_id = $1";
    CODES = "DELETE FROM oauth_code WHERE workspace_id = $1";
    REQUESTS = "DELETE FROM oauth_request WHERE workspace_id = $1";
    TOKENS = "DELETE FROM token WHERE workspace_id = $1";
    INSTALLATIONS = "DELETE FROM installation WHERE workspace_id = $1";
    CLIENTS = "DELETE FROM oauth_client WHERE workspace_id = $1";
    TRACES = "DELETE FROM oauth_trace WHERE workspace_id = $1";
    INVITATIONS = "DELETE FROM invitation WHERE workspace_id = $1";
    MEMBERSHIPS = "DELETE FROM membership WHERE workspace_id = $1";
    WORKSPACE = "DELETE FROM workspace WHERE id = $1";
}

/// What points at others goes before them.
const IN_ORDER: [&str; 9] =
    [CODES, REQUESTS, TOKENS, INSTALLATIONS, CLIENTS, TRACES, INVITATIONS, MEMBERSHIPS, WORKSPACE];

/// Holds the workspace, so that nothing is added to it until the transaction ends. False if there is none.
pub async fn hold(tx: &mut Tx, workspace: WorkspaceId) -> Result<bool, StoreError> {
    let text = tx.dialect().text(&HOLD);
    let held: Option<Uuid> =
        on!(tx tx, c => query_scalar(text).bind(workspace.uuid()).fetch_optional(c).await)?;
    Ok(held.is_some())
}

/// Every installation, ended ones included.
pub async fn installations(tx: &mut Tx, workspace: WorkspaceId) -> Result<Vec<InstallationId>, StoreError> {
    let ids: Vec<Uuid> =
        on!(tx tx, c => query_scalar(INSTALLATION_IDS).bind(workspace.uuid()).fetch_all(c).await)?;
    Ok(ids.into_iter().map(InstallationId::from_uuid).collect())
}

/// Deletes everything, and the workspace itself.
pub async fn delete(tx: &mut Tx, workspace: WorkspaceId) -> Result<(), StoreError> {
    for statement in IN_ORDER {
        on!(tx tx, c => query(statement).bind(workspace.uuid()).execute(c).await.map(|_| ()))?;
    }
    Ok(())
}
