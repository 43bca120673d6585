//! Table `membership`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{AccountId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Belonging, Membership, Role, Workspace};

queries! {
    /// Nothing is inserted for who is a member already.
    INSERT = "INSERT INTO membership (workspace_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (workspace_id, account_id) DO NOTHING";
    ROLE = "SELECT role FROM membership WHERE workspace_id = $1 AND account_id = $2";
    ACTIVE = "SELECT EXISTS (SELECT 1 FROM membership JOIN account ON account.id = membership.account_id
        WHERE membership.workspace_id = $1 AND membership.account_id = $2 AND account.disabled_at IS NULL)";
    ROLE_NOW = "SELECT membership.role FROM membership JOIN account ON account.id = membership.account_id
        WHERE workspace_id = $1 AND account_id = $2 AND account.disabled_at IS NULL";
    /// Beside an account, those who can still sign in.
    OTHER_OWNERS = "SELECT COUNT(*) FROM membership JOIN account ON account.id = membership.account_id
        WHERE workspace_id = $1 AND account_id <> $2 AND role = 'owner' AND account.disabled_at IS NULL";
    OWNERS = "SELECT COUNT(*) FROM membership WHERE workspace_id = $1 AND role = 'owner'";
    /// Of one workspace, in the order in which they came.
    LIST = "SELECT membership.account_id, account.email, membership.role, membership.created_at,
            account.disabled_at
        FROM membership JOIN account ON account.id = membership.account_id
        WHERE membership.workspace_id = $1 ORDER BY membership.created_at, membership.account_id";
    OF_ACCOUNT = "SELECT workspace.id, workspace.name, workspace.created_at, membership.role
        FROM membership JOIN workspace ON workspace.id = membership.workspace_id
        WHERE membership.account_id = $1 ORDER BY workspace.name";
    SET_ROLE = "UPDATE membership SET role = $3 WHERE workspace_id = $1 AND account_id = $2";
    DELETE = "DELETE FROM membership WHERE workspace_id = $1 AND account_id = $2";
}

#[derive(FromRow)]
struct MemberRow {
    account_id: Uuid,
    email: String,
    role: String,
    created_at: i64,
    disabled_at: Option<i64>,
}

impl TryFrom<MemberRow> for Membership {
    type Error = StoreError;

    fn try_from(row: MemberRow) -> Result<Self, StoreError> {
        Ok(Self {
            account: AccountId::from_uuid(row.account_id),
            email: row.email.parse().map_err(unreadable("email"))?,
            role: row.role.parse().map_err(unreadable("role"))?,
            since: Timestamp::from_micros(row.created_at),
            is_disabled: row.disabled_at.is_some(),
        })
    }
}

#[derive(FromRow)]
struct BelongingRow {
    id: Uuid,
    name: String,
    created_at: i64,
    role: String,
}

impl TryFrom<BelongingRow> for Belonging {
    type Error = StoreError;

    fn try_from(row: BelongingRow) -> Result<Self, StoreError> {
        let workspace = Workspace {
            id: WorkspaceId::from_uuid(row.id),
            name: row.name.parse().map_err(unreadable("workspace name"))?,
            created_at: Timestamp::from_micros(row.created_at),
        };
        Ok(Self { workspace, role: row.role.parse().map_err(unreadable("role"))? })
    }
}

/// Everybody who belongs to the workspace.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<Membership>, StoreError> {
    let rows: Vec<MemberRow> = on!(read db, c => query_as(LIST).bind(workspace.uuid()).fetch_all(c).await)?;
    rows.into_iter().map(Membership::try_from).collect()
}

/// The workspaces to which the account belongs.
pub async fn of_account(db: &Database, account: AccountId) -> Result<Vec<Belonging>, StoreError> {
    let rows: Vec<BelongingRow> =
        on!(read db, c => query_as(OF_ACCOUNT).bind(account.uuid()).fetch_all(c).await)?;
    rows.into_iter().map(Belonging::try_from).collect()
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

/// Whether the workspace has an owner who can sign in, beside this account.
pub async fn has_other_owner(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<bool, StoreError> {
    let others: i64 = on!(tx tx, c => query_scalar(OTHER_OWNERS)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .fetch_one(c)
        .await)?;
    Ok(others > 0)
}

/// How many owners the workspace has.
pub async fn owners(tx: &mut Tx, workspace: WorkspaceId) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(OWNERS).bind(workspace.uuid()).fetch_one(c).await)?)
}

/// Gives the member another role.
pub async fn set_role(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
    role: Role,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(SET_ROLE)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .bind(role.as_str())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
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
