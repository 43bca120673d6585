//! Taking turns. Two syncs that share contents would lock the same things in different orders, and wait for
//! each other; so one transaction at a time writes to a workspace's catalog. SQLite has one writer anyway.

use sqlx::query;
use stoa_base::WorkspaceId;
use stoa_store::{StoreError, Tx, on, queries};

queries! {
    /// Waits until no other transaction has the turn, and keeps it until this one ends.
    TAKE = {
        sqlite: "SELECT $1",
        postgres: "SELECT pg_advisory_xact_lock(hashtextextended(CAST($1 AS TEXT), 0))",
    };
}

/// Waits for the turn to write to the workspace's catalog. To be taken before any row is locked.
pub(crate) async fn take(tx: &mut Tx, workspace: WorkspaceId) -> Result<(), StoreError> {
    let sql = tx.dialect().text(&TAKE);
    let name = format!("things/catalog/{workspace}");
    on!(tx tx, c => query(sql).bind(&name).execute(c).await.map(|_| ()))?;
    Ok(())
}
