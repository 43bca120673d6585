//! Table `audit_entry`, which is the audit's own, read with the names that only this crate knows.

use serde_json::Value;
use sqlx::{FromRow, query_as};
use stoa_base::{AccountId, InstallationId, Timestamp, WorkspaceId};
use stoa_store::audit::{Channel, Status};
use stoa_store::{Database, StoreError, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Activity, ActivityFilter, ActivityId, ActivityPlace, Doing};

/// `$1` is the workspace, `$2` the account whose entries alone are wanted; `$3` to `$6` the filter, `$7` and `$8`
/// where the page before ended, `$9` how many.
macro_rules! select {
    ($more:literal) => {
        concat!(
            "SELECT audit_entry.id, audit_entry.at, audit_entry.channel, audit_entry.tool, audit_entry.status,
                audit_entry.code, audit_entry.duration_us, audit_entry.arguments, audit_entry.installation_id,
                installation.label, audit_entry.account_id, account.email, audit_entry.client
            FROM audit_entry LEFT JOIN account ON account.id = audit_entry.account_id
                LEFT JOIN installation ON installation.workspace_id = audit_entry.workspace_id
                    AND installation.id = audit_entry.installation_id
            WHERE audit_entry.workspace_id = $1 AND (audit_entry.account_id = $2 OR $2 IS NULL)
                AND (audit_entry.tool = $3 OR $3 IS NULL) AND (audit_entry.status = $4 OR $4 IS NULL)
                AND audit_entry.at >= $5 AND audit_entry.at < $6
                AND (audit_entry.at < $7 OR (audit_entry.at = $7 AND audit_entry.id < $8)) ",
            $more,
            " ORDER BY audit_entry.at DESC, audit_entry.id DESC LIMIT $9"
        )
    };
}

queries! {
    ALL = (select!(""));
    OF_INSTALLATION = (select!("AND audit_entry.installation_id = $10"));
    /// By tool, the most used first. Only so many entries are looked at, however busy the agent was.
    DOINGS = "SELECT tool, SUM(CASE WHEN status = 'ok' THEN 1 ELSE 0 END) AS done,
            SUM(CASE WHEN status = 'ok' THEN 0 ELSE 1 END) AS refused
        FROM (SELECT tool, status FROM audit_entry WHERE workspace_id = $1 AND installation_id = $2 AND at >= $3
            AND channel = 'mcp' ORDER BY at DESC LIMIT $4) AS recent
        GROUP BY tool ORDER BY COUNT(*) DESC, tool";
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    at: i64,
    channel: String,
    tool: String,
    status: String,
    code: Option<String>,
    duration_us: i64,
    arguments: String,
    installation_id: Option<Uuid>,
    label: Option<String>,
    account_id: Option<Uuid>,
    email: Option<String>,
    client: Option<String>,
}

impl TryFrom<Row> for Activity {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let email = row.email.map(|email| email.parse().map_err(unreadable("email address"))).transpose()?;
        Ok(Self {
            id: ActivityId::from_uuid(row.id),
            at: Timestamp::from_micros(row.at),
            channel: Channel::of(&row.channel).ok_or(row.channel).map_err(unreadable("channel"))?,
            tool: row.tool,
            status: Status::of(&row.status).ok_or(row.status).map_err(unreadable("status"))?,
            code: row.code,
            duration_us: u64::try_from(row.duration_us).unwrap_or_default(),
            arguments: Some(serde_json::from_str(&row.arguments).unwrap_or(Value::Null)),
            installation: row.installation_id.map(InstallationId::from_uuid),
            agent: row.label,
            account: row.account_id.map(AccountId::from_uuid),
            email,
            client: row.client,
        })
    }
}

/// The newest entries of the workspace that meet the filter, after `place`: of one person, or of everybody.
pub async fn list(
    db: &Database,
    workspace: WorkspaceId,
    account: Option<AccountId>,
    filter: &ActivityFilter,
    place: Option<ActivityPlace>,
    most: u32,
) -> Result<Vec<Activity>, StoreError> {
    let text = if filter.installation.is_some() { OF_INSTALLATION } else { ALL };
    let (from, until) =
        (filter.from.map_or(0, Timestamp::as_micros), filter.until.map_or(i64::MAX, Timestamp::as_micros));
    let (at, id) = place.map_or((i64::MAX, Uuid::max()), |place| (place.at.as_micros(), place.id.uuid()));
    let rows: Vec<Row> = on!(read db, c => {
        let asked = query_as(text)
            .bind(workspace.uuid())
            .bind(account.map(|account| account.uuid()))
            .bind(filter.tool.as_deref())
            .bind(filter.status.map(Status::as_str))
            .bind(from)
            .bind(until)
            .bind(at)
            .bind(id)
            .bind(i64::from(most));
        let asked = match filter.installation {
            Some(installation) => asked.bind(installation.uuid()),
            None => asked,
        };
        asked.fetch_all(c).await
    })?;
    rows.into_iter().map(Activity::try_from).collect()
}

#[derive(FromRow)]
struct DoingRow {
    tool: String,
    done: i64,
    refused: i64,
}

/// What an agent did since then, of its newest `most` entries.
pub async fn doings(
    db: &Database,
    workspace: WorkspaceId,
    installation: InstallationId,
    since: Timestamp,
    most: u32,
) -> Result<Vec<Doing>, StoreError> {
    let rows: Vec<DoingRow> = on!(read db, c => query_as(DOINGS)
        .bind(workspace.uuid())
        .bind(installation.uuid())
        .bind(since.as_micros())
        .bind(i64::from(most))
        .fetch_all(c)
        .await)?;
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    let doing = |row: DoingRow| Doing { tool: row.tool, done: count(row.done), refused: count(row.refused) };
    Ok(rows.into_iter().map(doing).collect())
}
