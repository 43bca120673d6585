//! Table `oauth_trace`.

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_base::{InstallationId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::{address_class, address_word, unreadable};
use crate::model::oauth::trace::{Step, Trace, TraceId};

queries! {
    INSERT = "INSERT INTO oauth_trace (workspace_id, id, service, step, client, agent, installation_id, code,
            address_class, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    /// All of a workspace but the newest so many; of discoveries, or of all else.
    TRIM = "DELETE FROM oauth_trace WHERE workspace_id = $1 AND (step = 'discovery') = $3 AND id <= (
            SELECT id FROM oauth_trace WHERE workspace_id = $1 AND (step = 'discovery') = $3
            ORDER BY id DESC LIMIT 1 OFFSET $2)";
    /// How often the same was discovered by the same since.
    DISCOVERED = "SELECT COUNT(*) FROM oauth_trace WHERE workspace_id = $1 AND service = $2 AND step = 'discovery'
        AND address_class = $3 AND agent IS NOT DISTINCT FROM CAST($4 AS TEXT) AND created_at > $5";
    /// The newest of a workspace; `$2` is a client or NULL for all.
    LIST = "SELECT id, service, step, client, agent, installation_id, code, address_class, created_at
        FROM oauth_trace WHERE workspace_id = $1 AND (CAST($2 AS TEXT) IS NULL OR client = $2) ORDER BY id DESC LIMIT $3";
    PRUNE = "DELETE FROM oauth_trace WHERE created_at <= $1";
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    service: String,
    step: String,
    client: Option<String>,
    agent: Option<String>,
    installation_id: Option<Uuid>,
    code: Option<String>,
    address_class: String,
    created_at: i64,
}

impl TryFrom<Row> for Trace {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: TraceId::from_uuid(row.id),
            service: row.service,
            step: Step::of(&row.step).ok_or(row.step).map_err(unreadable("step"))?,
            client: row.client,
            agent: row.agent,
            installation: row.installation_id.map(InstallationId::from_uuid),
            code: row.code,
            address: address_class(&row.address_class),
            at: Timestamp::from_micros(row.created_at),
        })
    }
}

/// Whether a discovery like this one was noted after `since`.
pub async fn is_discovered(
    db: &Database,
    workspace: WorkspaceId,
    trace: &Trace,
    since: Timestamp,
) -> Result<bool, StoreError> {
    let number: i64 = on!(read db, c => query_scalar(DISCOVERED)
        .bind(workspace.uuid())
        .bind(&trace.service)
        .bind(address_word(trace.address))
        .bind(&trace.agent)
        .bind(since.as_micros())
        .fetch_one(c)
        .await)?;
    Ok(number > 0)
}

/// Adds the trace, and lets go of what is beyond the newest `most` of its kind: discoveries are one, all else is the
/// other.
pub async fn insert(tx: &mut Tx, workspace: WorkspaceId, trace: &Trace, most: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(workspace.uuid())
        .bind(trace.id.uuid())
        .bind(&trace.service)
        .bind(trace.step.as_str())
        .bind(&trace.client)
        .bind(&trace.agent)
        .bind(trace.installation.map(|id| id.uuid()))
        .bind(&trace.code)
        .bind(address_word(trace.address))
        .bind(trace.at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    on!(tx tx, c => query(TRIM)
        .bind(workspace.uuid())
        .bind(most)
        .bind(trace.step == Step::Discovery)
        .execute(c).await.map(|_| ()))?;
    Ok(())
}

/// The newest of the workspace, of one client or of all.
pub async fn list(
    db: &Database,
    workspace: WorkspaceId,
    client: Option<&str>,
    most: i64,
) -> Result<Vec<Trace>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(LIST)
        .bind(workspace.uuid())
        .bind(client)
        .bind(most)
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(Trace::try_from).collect()
}

/// Deletes traces of before.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
