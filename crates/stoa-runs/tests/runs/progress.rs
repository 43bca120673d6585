//! How far a run is, how fast, and how long it will take.

use std::sync::Mutex;
use std::time::Duration;

use stoa_base::{Ambient, ManualClock};
use stoa_runs::{MIGRATIONS, Progress, ProgressReport, RunId, Workers};
use stoa_store::MIGRATIONS as STORE;
use stoa_testing::{TestDatabase, manual_time, on_both};
use tokio::sync::oneshot;

use crate::support::{any_run, begun, node, once, work};

on_both! {
    async fn rate_and_eta_count_from_where_the_attempt_began(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let fresh = ProgressReport { done: 0, total: None, bytes: 0, rate: None, eta_seconds: None };
        let (before, killed) = begun_by(&test, &ambient, run, 50, &clock).await;
        assert_eq!(before, fresh);
        let shown = once(&test.db, run, |row| row.progress.done == 50).await.progress;
        let first = ProgressReport { done: 50, total: Some(203), bytes: 9, rate: Some(5.0), eta_seconds: Some(31) };
        assert_eq!(shown, first);

        // A second attempt does 51 objects more, also in 10 seconds.
        drop(killed);
        let (_, _workers) = begun_by(&test, &ambient, run, 101, &clock).await;
        let shown = once(&test.db, run, |row| row.progress.done == 101).await.progress;
        assert_eq!((shown.rate, shown.eta_seconds), (Some(5.1), Some(20)));
    }
}

/// Begins the run anew on the node, and 10 seconds later shows so much done. Answers also what was shown
/// when it had just begun.
async fn begun_by(
    test: &TestDatabase,
    ambient: &Ambient,
    run: RunId,
    done: u64,
    clock: &ManualClock,
) -> (ProgressReport, Workers) {
    let (begins, began) = oneshot::channel::<()>();
    let (go, gone) = oneshot::channel::<()>();
    let gates = Mutex::new(Some((begins, gone)));
    let works = work(move |run| {
        let (begins, gone) = gates.lock().unwrap().take().unwrap();
        Box::pin(async move {
            begins.send(()).unwrap();
            gone.await.unwrap();
            run.progress(Progress { done, total: Some(203), bytes: 9 });
            std::future::pending().await
        })
    });
    let workers = node(&test.db, ambient, "one", works);
    began.await.unwrap();
    let before = begun(&test.db, run).await.progress;
    clock.advance(Duration::from_secs(10));
    go.send(()).unwrap();
    (before, workers)
}
