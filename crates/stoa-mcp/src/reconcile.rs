//! Several nodes, one limit: once a second each writes what it counted and reads what the others did. Between
//! two seconds a limit may be passed by what the other nodes let through.

use sqlx::{query, query_as};
use stoa_base::{InstallationId, Timestamp};
use stoa_store::{Database, StoreError, on, queries};
use uuid::Uuid;

use crate::limit::{CallCounts, Key, WINDOW};

queries! {
    /// What this node counted.
    TELL = "INSERT INTO rate_count (window_start, node, installation_id, service, used)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (window_start, node, installation_id, service) DO UPDATE SET used = excluded.used";

    /// What the other nodes counted.
    LISTEN = "SELECT installation_id, service, CAST(SUM(used) AS BIGINT) FROM rate_count
        WHERE window_start = $1 AND node <> $2 GROUP BY installation_id, service";

    /// Windows that are over.
    FORGET = "DELETE FROM rate_count WHERE window_start < $1";
}

/// Tells the others, and learns from them. Counts of installations that never called here are kept too: their
/// next call may come here.
pub(crate) async fn reconcile(
    db: &Database,
    node: &str,
    services: &[&'static str],
    counts: &CallCounts,
    now: Timestamp,
) -> Result<(), StoreError> {
    let start = now.floor(WINDOW);
    tell(db, node, counts.counted(start), start).await?;
    let others: Vec<(Uuid, String, i64)> = on!(read db, c => {
        query_as(LISTEN).bind(start.as_micros()).bind(node).fetch_all(c).await
    })?;
    for (installation, service, used) in others {
        if let Some(service) = services.iter().find(|known| **known == service) {
            let key: Key = (InstallationId::from_uuid(installation), service);
            counts.learn(key, start, u32::try_from(used).unwrap_or(u32::MAX));
        }
    }
    Ok(())
}

async fn tell(
    db: &Database,
    node: &str,
    counted: Vec<(Key, u32)>,
    start: Timestamp,
) -> Result<(), StoreError> {
    if counted.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    for ((installation, service), used) in counted {
        on!(tx tx, c => {
            query(TELL).bind(start.as_micros()).bind(node).bind(installation.uuid()).bind(service)
                .bind(i64::from(used)).execute(c).await.map(|_| ())
        })?;
    }
    let before = start.minus(WINDOW).as_micros();
    on!(tx tx, c => query(FORGET).bind(before).execute(c).await.map(|_| ()))?;
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use stoa_testing::{TestDatabase, manual_time, on_both};

    use super::*;

    on_both! { async fn two_nodes_keep_one_limit(test) with &[&crate::MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let (a, b) = (CallCounts::new(ambient.clone()), CallCounts::new(ambient.clone()));
        let key = (InstallationId::new(&ambient), "things");
        for _ in 0..3 {
            a.take(key, 5).unwrap();
        }
        b.take(key, 5).unwrap();
        meet(&test, &a, &b, ambient.now()).await;
        b.take(key, 5).unwrap();
        assert_eq!(b.take(key, 5).unwrap_err().used, 5);
        meet(&test, &a, &b, ambient.now()).await;
        assert_eq!(a.take(key, 5).unwrap_err().used, 5);
        clock.advance(WINDOW);
        meet(&test, &a, &b, ambient.now()).await;
        a.take(key, 5).unwrap();
    }}

    async fn meet(test: &TestDatabase, a: &CallCounts, b: &CallCounts, now: Timestamp) {
        for (node, counts) in [("a", a), ("b", b), ("a", a)] {
            reconcile(&test.db, node, &["things"], counts, now).await.unwrap();
        }
    }
}
