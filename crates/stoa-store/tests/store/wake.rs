use std::time::Duration;

use stoa_store::{Database, MIGRATIONS, wake};
use stoa_testing::on_both;
use tokio_util::sync::CancellationToken;

use crate::support::until;

const WAIT: Duration = Duration::from_secs(20);

async fn ring(db: &Database) {
    let mut tx = db.begin().await.unwrap();
    tx.wake("runs");
    tx.commit().await.unwrap();
}

on_both! {
    async fn a_commit_rings_its_topic_here_and_no_other(test) with &[&MIGRATIONS]; {
        let mut runs = test.db.wakeups().subscribe("runs");
        let tokens = test.db.wakeups().subscribe("tokens");
        ring(&test.db).await;
        tokio::time::timeout(WAIT, runs.changed()).await.unwrap().unwrap();
        assert!(!tokens.has_changed().unwrap());
    }
}

on_both! {
    async fn a_rollback_rings_nothing(test) with &[&MIGRATIONS]; {
        let runs = test.db.wakeups().subscribe("runs");
        let mut tx = test.db.begin().await.unwrap();
        tx.wake("runs");
        tx.rollback().await.unwrap();
        assert!(!runs.has_changed().unwrap());
    }
}

on_both! {
    async fn another_process_hears_it(test) with &[&MIGRATIONS]; {
        let other = Database::open(&test.url).await.unwrap();
        let stop = CancellationToken::new();
        let carriers =
            [&test.db, &other].map(|db| tokio::spawn(wake::carry(db.clone(), stop.clone())));
        let mut runs = other.wakeups().subscribe("runs");
        // When it starts to listen, a process rings once for what it may have missed. Rings are hints: one
        // that came too early is lost, so ring until one is heard after that.
        for _ in 0..2 {
            runs.mark_unchanged();
            until("a ring from the other process", async || {
                ring(&test.db).await;
                runs.has_changed().unwrap()
            })
            .await;
        }
        stop.cancel();
        for carrier in carriers {
            carrier.await.unwrap();
        }
    }
}
