//! What several of these tests need.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use stoa_base::{Ambient, Id, WorkspaceId};
use stoa_store::audit::{AddressClass, Audit, Channel, Credential, Opening, Status, chain};
use stoa_store::{Database, StoreError, on};

/// Runs one statement in a transaction of its own.
pub async fn execute(db: &Database, sql: impl Into<String>) {
    let sql = AssertSqlSafe(sql.into());
    let mut tx = db.begin().await.unwrap();
    on!(tx tx, c => sqlx::query(sql).execute(c).await.map(|_| ())).unwrap();
    tx.commit().await.unwrap();
}

/// The one number that a query gives.
pub async fn number(db: &Database, sql: impl Into<String>) -> i64 {
    let sql = AssertSqlSafe(sql.into());
    on!(read db, c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap()
}

/// Waits for a state that others bring about.
pub async fn until(what: &str, mut reached: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !reached().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(20), waiting).await.is_ok(), "in vain: {what}");
}

pub fn workspace() -> WorkspaceId {
    Id::new(&Ambient::system())
}

pub fn opening(workspace: WorkspaceId) -> Opening {
    Opening {
        workspace,
        channel: Channel::Mcp,
        tool: "search_things".to_owned(),
        scope: Some("things:read".to_owned()),
        arguments: json!({"query": "invoice"}),
        account: Some(Id::new(&Ambient::system())),
        installation: Some(Id::new(&Ambient::system())),
        credential: Credential::Personal,
        client: Some("claude-code 2.0".to_owned()),
        address: AddressClass::Loopback,
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
    }
}

/// Writes `count` entries.
pub async fn fill(db: &Database, workspace: WorkspaceId, count: usize) {
    let audit = Audit::start(db.clone(), Ambient::system());
    for _ in 0..count {
        audit.open(opening(workspace)).close(Status::Ok, None).await.unwrap();
    }
    audit.stop().await;
}

/// The entries of a workspace, as exported.
pub async fn entries(db: &Database, workspace: WorkspaceId) -> Result<Vec<Value>, StoreError> {
    let mut out = Vec::new();
    chain::export(db, workspace, &mut out).await?;
    let lines = String::from_utf8(out).unwrap();
    Ok(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}
