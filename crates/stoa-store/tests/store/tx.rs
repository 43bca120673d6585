use stoa_store::{Database, Dialect, MIGRATIONS};
use stoa_testing::on_both;

use crate::support::{execute, number, until};

const COUNT: &str = "SELECT COUNT(*) FROM lease";
/// Connections of this database that sit inside a transaction.
const SITTING: &str = "SELECT COUNT(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
const INSERT: &str = "INSERT INTO lease (name, owner, until) VALUES ('a', 'b', 1)";

on_both! {
    async fn what_is_not_committed_leaves_no_trace(test) with &[&MIGRATIONS]; {
        for explicitly in [true, false] {
            let mut tx = test.db.begin().await.unwrap();
            stoa_store::on!(tx tx, c => sqlx::query(INSERT).execute(c).await.map(|_| ())).unwrap();
            if explicitly { tx.rollback().await.unwrap() } else { drop(tx) }
            assert_eq!(number(&test.db, COUNT).await, 0);
        }
    }
}

on_both! {
    async fn what_is_committed_is_seen_by_another_process(test) with &[&MIGRATIONS]; {
        let other = Database::open(&test.url).await.unwrap();
        execute(&test.db, INSERT).await;
        assert_eq!(number(&other, COUNT).await, 1);
    }
}

on_both! {
    async fn read_then_write_of_many_tasks_loses_nothing(test) with &[&MIGRATIONS]; {
        execute(&test.db, INSERT).await;
        let other = Database::open(&test.url).await.unwrap();
        let adds = (0..40).map(|turn| add_one(if turn % 2 == 0 { &test.db } else { &other }));
        futures::future::join_all(adds).await;
        assert_eq!(number(&test.db, "SELECT until FROM lease").await, 41);
    }
}

async fn add_one(db: &Database) {
    let mut tx = db.begin().await.unwrap();
    let sql = "UPDATE lease SET until = until + 1";
    stoa_store::on!(tx tx, c => sqlx::query("SELECT name FROM lease").execute(&mut *c).await.map(|_| ()))
        .unwrap();
    stoa_store::on!(tx tx, c => sqlx::query(sql).execute(c).await.map(|_| ())).unwrap();
    tx.commit().await.unwrap();
}

on_both! {
    async fn a_begin_that_nobody_waits_for_leaves_no_transaction_behind(test) with &[&MIGRATIONS]; {
        for _ in 0..200 {
            tokio::select! {
                biased;
                begun = test.db.begin() => drop(begun),
                () = tokio::task::yield_now() => {}
            }
        }
        if test.db.dialect() == Dialect::Postgres {
            until("nobody sits in a transaction", async || number(&test.db, SITTING).await == 0).await;
        }
        test.db.begin().await.unwrap().commit().await.unwrap();
    }
}
