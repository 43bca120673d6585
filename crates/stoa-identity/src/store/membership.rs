//! Table `membership`.

use sqlx::{query, query_scalar};
use stoa_base::{AccountId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};

use super::unreadable;
use crate::Role;

queries! {
    /// Nothing is inserted for who is a member already.
    INSERT = "INSERT INTO membership (workspace_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (workspace_id, account_id) DO NOTHING";
    ROLE = "SELECT role FROM membership WHERE workspace_id = $1 AND account_id = $2";
    ACTIVE = "SELECT EXISTS (SELECT 1 FROM membership JOIN account ON account.id = membership.account_id
        WHERE membership.workspace_id = $1 AND membership.account_id = $2 AND account.disabled_at IS NULL)";
    ROLE_NOW = "SELECT membership.role FROM membership JOIN account ON account.id = membership.account_id
        WHERE workspace_id = $1 AND account_id = $2 AND account.disabled_at IS NULL";
    OWNERS = "SELECT COUNT(*) FROM membership WHERE workspace_id = $1 AND role = 'owner'";
    DELETE = "DELETE FROM membership WHERE workspace_id = $1 AND account_id = $2";
}

/// Makes the account a member. False if it is one already.
pub async fn insert(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
    role: Role,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let inserted = on!(tx tx, c => query(INSERT)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .bind(role.as_str())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// The account's role in the workspace, if it belongs there.
pub async fn role(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<Option<Role>, StoreError> {
    let role: Option<String> = on!(tx tx, c => query_scalar(ROLE)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .fetch_optional(c)
        .await)?;
    role.map(|role| role.parse().map_err(unreadable("role"))).transpose()
}

/// Whether the account belongs to the workspace and is not disabled.
pub async fn is_active(tx: &mut Tx, workspace: WorkspaceId, account: AccountId) -> Result<bool, StoreError> {
    Ok(on!(tx tx, c => query_scalar(ACTIVE)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .fetch_one(c)
        .await)?)
}

/// The account's role in the workspace now, if it belongs there and is not disabled.
pub async fn role_now(
    db: &Database,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<Option<Role>, StoreError> {
    let role: Option<String> = on!(read db, c => query_scalar(ROLE_NOW)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .fetch_optional(c)
        .await)?;
    role.map(|role| role.parse().map_err(unreadable("role"))).transpose()
}

/// The same, inside a transaction.
pub async fn role_now_within(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<Option<Role>, StoreError> {
    let role: Option<String> = on!(tx tx, c => query_scalar(ROLE_NOW)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .fetch_optional(c)
        .await)?;
    role.map(|role| role.parse().map_err(unreadable("role"))).transpose()
}

/// How many owners the workspace has.
pub async fn owners(tx: &mut Tx, workspace: WorkspaceId) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(OWNERS).bind(workspace.uuid()).fetch_one(c).await)?)
}

/// Ends the membership.
pub async fn delete(tx: &mut Tx, workspace: WorkspaceId, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}
