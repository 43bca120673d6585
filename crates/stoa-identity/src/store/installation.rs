//! Table `installation`.

use std::time::Duration;

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::{AccountId, InstallationId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{ClientInfo, Grant, Installation, MountId, Reach, Scopes};

/// How exactly the last use is known.
pub const USE_STEP: Duration = Duration::from_mins(1);

queries! {
    INSERT = "INSERT INTO installation
            (id, workspace_id, account_id, service, label, scopes, reach, run_budget, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    /// Of one workspace, newest first.
    LIST = "SELECT id, workspace_id, account_id, service, label, client_name, client_version, scopes, reach,
            run_budget, created_at, last_used_at, revoked_at
        FROM installation WHERE workspace_id = $1 ORDER BY id DESC";
    END = "UPDATE installation SET revoked_at = $3
        WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL";
    /// Every one of a person in a workspace.
    END_ALL = "UPDATE installation SET revoked_at = $3
        WHERE workspace_id = $1 AND account_id = $2 AND revoked_at IS NULL";
    /// Every one of a person, in every workspace.
    END_EVERYWHERE = "UPDATE installation SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL";
    /// Writes nothing where the last use is known closely enough: `$4` is a step before `$3`.
    USED = "UPDATE installation SET last_used_at = $3
        WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $4)";
    CLIENT = "UPDATE installation SET client_name = $3, client_version = $4
        WHERE workspace_id = $1 AND id = $2";
}

/// A row, also as the head of a longer one.
#[derive(FromRow)]
pub struct Row {
    id: Uuid,
    workspace_id: Uuid,
    account_id: Uuid,
    service: String,
    label: String,
    client_name: Option<String>,
    client_version: Option<String>,
    #[sqlx(flatten)]
    grant: GrantColumns,
    created_at: i64,
    last_used_at: Option<i64>,
    revoked_at: Option<i64>,
}

/// The columns that say what is granted.
#[derive(FromRow)]
pub struct GrantColumns {
    scopes: Json<Scopes>,
    reach: Option<Json<Reach>>,
    run_budget: Option<i64>,
}

impl TryFrom<GrantColumns> for Grant {
    type Error = StoreError;

    fn try_from(columns: GrantColumns) -> Result<Self, StoreError> {
        let run_budget = columns.run_budget.map(u32::try_from).transpose();
        Ok(Self {
            scopes: columns.scopes.0,
            reach: columns.reach.map_or(Reach::Everything, |reach| reach.0),
            run_budget: run_budget.map_err(unreadable("run budget"))?,
        })
    }
}

impl TryFrom<Row> for Installation {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let client = row.client_name.zip(row.client_version);
        Ok(Self {
            id: InstallationId::from_uuid(row.id),
            account: AccountId::from_uuid(row.account_id),
            mount: MountId::new(WorkspaceId::from_uuid(row.workspace_id), row.service),
            grant: row.grant.try_into()?,
            label: row.label,
            client: client.map(|(name, version)| ClientInfo { name, version }),
            created_at: Timestamp::from_micros(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_micros),
            revoked_at: row.revoked_at.map(Timestamp::from_micros),
        })
    }
}

/// Adds the installation.
pub async fn insert(tx: &mut Tx, new: &Installation) -> Result<(), StoreError> {
    let Grant { scopes, reach, run_budget } = &new.grant;
    let reach = (*reach != Reach::Everything).then_some(Json(reach));
    on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.mount.workspace.uuid())
        .bind(new.account.uuid())
        .bind(&new.mount.service)
        .bind(&new.label)
        .bind(Json(scopes))
        .bind(reach)
        .bind(run_budget.map(i64::from))
        .bind(new.created_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Those of the workspace, newest first.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<Installation>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(LIST).bind(workspace.uuid()).fetch_all(c).await)?;
    rows.into_iter().map(Installation::try_from).collect()
}

/// Ends the installation. False if it had ended, or is not there.
pub async fn end(
    tx: &mut Tx,
    workspace: WorkspaceId,
    id: InstallationId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let ended = on!(tx tx, c => query(END)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}

/// Ends every installation of the account in the workspace.
pub async fn end_all(
    tx: &mut Tx,
    workspace: WorkspaceId,
    account: AccountId,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(END_ALL)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Ends every installation of the account, in every workspace.
pub async fn end_everywhere(tx: &mut Tx, account: AccountId, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(END_EVERYWHERE)
        .bind(account.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes that the installation is in use, unless that is known to the minute.
pub async fn used(
    tx: &mut Tx,
    workspace: WorkspaceId,
    id: InstallationId,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(USED)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .bind(at.as_micros())
        .bind(at.minus(USE_STEP).as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes what the client calls itself.
pub async fn client(
    tx: &mut Tx,
    workspace: WorkspaceId,
    id: InstallationId,
    client: &ClientInfo,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(CLIENT)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .bind(&client.name)
        .bind(&client.version)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}
