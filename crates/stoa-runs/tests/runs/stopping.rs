//! Nodes that stop in good order.

use std::time::Duration;

use serde_json::json;
use stoa_runs::{MIGRATIONS, Outcome, Progress, RunStatus, Running, WorkError, get};
use stoa_store::{Database, MIGRATIONS as STORE};
use stoa_testing::{manual_time, on_both};
use tokio::sync::mpsc;

use crate::support::{WORKSPACE, any_run, begun, ended, node, once, patient, quick, stubborn, work};

async fn saves_and_waits(db: &Database, run: &Running) -> Result<Outcome, WorkError> {
    let mut tx = db.begin().await?;
    assert!(run.save_checkpoint(&mut tx, json!({ "after": "m" })).await?);
    tx.commit().await?;
    run.progress(Progress { done: 12, total: Some(20), bytes: 3 });
    Ok(run.stop_asked().await)
}

on_both! {
    async fn a_stopping_node_hands_its_run_back_with_checkpoint_and_progress(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let db = test.db.clone();
        let works = work(move |run| {
            let db = db.clone();
            Box::pin(async move { saves_and_waits(&db, run).await })
        });
        let workers = node(&test.db, &ambient, "one", works);
        once(&test.db, run, |row| row.progress.done == 12).await;
        workers.stop().await;
        let row = get(&test.db, WORKSPACE, run).await.unwrap().unwrap();
        assert_eq!((row.status, row.progress.done), (RunStatus::Queued, 12));

        let (resumed, mut from) = mpsc::channel(1);
        let works = work(move |run| {
            let found = run.checkpoint().cloned();
            let resumed = resumed.clone();
            Box::pin(async move {
                resumed.send(found).await.unwrap();
                Ok(Outcome::Done)
            })
        });
        let _other = node(&test.db, &ambient, "two", works);
        assert_eq!(from.recv().await, Some(Some(json!({ "after": "m" }))));
        let row = ended(&test.db, run).await;
        assert_eq!(row.status, RunStatus::Done);
        let shown = row.progress;
        assert_eq!((shown.done, shown.total, shown.bytes), (12, Some(20), 3));
    }
}

on_both! {
    async fn a_stopped_node_takes_no_more_runs(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        node(&test.db, &ambient, "one", quick()).stop().await;
        let run = any_run(&test.db, &ambient).await;
        node(&test.db, &ambient, "two", patient()).stop().await;
        let row = get(&test.db, WORKSPACE, run).await.unwrap().unwrap();
        assert_eq!(row.status, RunStatus::Queued);
    }
}

on_both! {
    async fn a_work_that_does_not_stop_is_left_to_its_lease(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let workers = node(&test.db, &ambient, "one", stubborn());
        begun(&test.db, run).await;
        workers.stop_within(Duration::from_millis(50)).await;
        assert_eq!(begun(&test.db, run).await.status, RunStatus::Running);
        clock.advance(Duration::from_secs(15));
        let _other = node(&test.db, &ambient, "two", quick());
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
    }
}
