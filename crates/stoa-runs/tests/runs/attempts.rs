//! A run that kills its worker each time must not live for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::future::BoxFuture;
use serde_json::json;
use stoa_base::Ambient;
use stoa_runs::{MIGRATIONS, Progress, RunId, RunStatus, Running, Work};
use stoa_store::{Database, MIGRATIONS as STORE};
use stoa_testing::{manual_time, on_both};
use tokio::sync::mpsc;

use crate::support::{any_run, begun, ended, node, once, patient, quick, work};

/// Starts a node and kills it in the middle of the run, `times` in a row; `first` happens in each attempt.
async fn killed_each_time<F>(db: &Database, ambient: &Ambient, times: u32, first: F)
where
    F: for<'a> Fn(&'a Running) -> BoxFuture<'a, ()> + Send + Sync + 'static,
{
    let (begun, mut begins) = mpsc::channel(1);
    let first = Arc::new(first);
    for _ in 0..times {
        let workers = node(db, ambient, "one", dies(&begun, &first));
        begins.recv().await.unwrap();
        drop(workers);
    }
}

fn dies<F>(begun: &mpsc::Sender<()>, first: &Arc<F>) -> Vec<Arc<dyn Work>>
where
    F: for<'a> Fn(&'a Running) -> BoxFuture<'a, ()> + Send + Sync + 'static,
{
    let (begun, first) = (begun.clone(), first.clone());
    work(move |run| {
        let (begun, first) = (begun.clone(), first.clone());
        Box::pin(async move {
            first(run).await;
            begun.send(()).await.unwrap();
            std::future::pending().await
        })
    })
}

async fn given_up(db: &Database, run: RunId) {
    let row = ended(db, run).await;
    assert_eq!(row.status, RunStatus::Failed);
    assert!(row.error.unwrap().starts_with("given up: 5 attempts"));
}

on_both! {
    async fn five_attempts_that_got_nowhere_are_the_last(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        killed_each_time(&test.db, &ambient, 5, |_| Box::pin(async {})).await;
        let _last = node(&test.db, &ambient, "one", quick());
        given_up(&test.db, run).await;
    }
}

on_both! {
    async fn a_run_that_gets_on_each_time_is_not_given_up(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let (db, step) = (test.db.clone(), AtomicU64::new(0));
        killed_each_time(&test.db, &ambient, 7, move |run| {
            let (db, step) = (db.clone(), step.fetch_add(1, Ordering::SeqCst));
            Box::pin(async move {
                let mut tx = db.begin().await.unwrap();
                assert!(run.save_checkpoint(&mut tx, json!(step)).await.unwrap());
                tx.commit().await.unwrap();
            })
        })
        .await;
        let _last = node(&test.db, &ambient, "one", quick());
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
    }
}

on_both! {
    async fn coming_as_far_as_before_each_time_is_getting_nowhere(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let db = test.db.clone();
        // The first attempt got on, so that five more are allowed.
        killed_each_time(&test.db, &ambient, 6, move |run| {
            let db = db.clone();
            Box::pin(async move {
                for done in [0, 7] {
                    run.progress(Progress { done, ..Progress::default() });
                    once(&db, run.id(), |row| row.progress.done == done).await;
                }
            })
        })
        .await;
        let _last = node(&test.db, &ambient, "one", quick());
        given_up(&test.db, run).await;
    }
}

on_both! {
    async fn handing_back_is_not_held_against_a_run(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        for _ in 0..7 {
            let workers = node(&test.db, &ambient, "one", patient());
            begun(&test.db, run).await;
            workers.stop().await;
        }
        let _last = node(&test.db, &ambient, "one", quick());
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
    }
}
