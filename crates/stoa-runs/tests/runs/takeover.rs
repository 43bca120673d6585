//! Workers that die, and workers that were only thought dead.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use stoa_base::Ambient;
use stoa_runs::{MIGRATIONS, Outcome, RunStatus, Running, Work};
use stoa_store::{Database, Dialect, MIGRATIONS as STORE};
use stoa_testing::{manual_time, on_both};
use tokio::sync::{mpsc, oneshot};

use crate::support::{any_run, begun, ended, node, node_of, quick, work};

/// A work that saves `checkpoint` at its first attempt and then hangs; at the next it tells where it goes on.
fn hangs_once(db: &Database, checkpoint: &Value, resumed: &mpsc::Sender<Value>) -> Vec<Arc<dyn Work>> {
    let (db, checkpoint, resumed) = (db.clone(), checkpoint.clone(), resumed.clone());
    work(move |run| {
        let (db, checkpoint, resumed) = (db.clone(), checkpoint.clone(), resumed.clone());
        Box::pin(async move {
            if let Some(from) = run.checkpoint() {
                resumed.send(from.clone()).await.unwrap();
                return Ok(Outcome::Done);
            }
            let mut tx = db.begin().await?;
            assert!(run.save_checkpoint(&mut tx, checkpoint).await?);
            tx.commit().await?;
            resumed.send(Value::Null).await.unwrap();
            std::future::pending().await
        })
    })
}

on_both! {
    async fn a_dead_nodes_run_goes_on_elsewhere_from_its_checkpoint(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let (resumed, mut from) = mpsc::channel(1);
        let works = || hangs_once(&test.db, &json!({ "at": "m" }), &resumed);
        let killed = node(&test.db, &ambient, "one", works());
        assert_eq!(from.recv().await, Some(Value::Null));
        drop(killed);
        clock.advance(Duration::from_secs(15));
        let _other = node(&test.db, &ambient, "two", works());
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
        assert_eq!(from.recv().await, Some(json!({ "at": "m" })));
    }
}

on_both! {
    async fn a_restarted_node_goes_on_at_once_and_leaves_other_nodes_alone(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let (resumed, mut from) = mpsc::channel(2);
        let works = || hangs_once(&test.db, &json!(1), &resumed);
        let run = any_run(&test.db, &ambient).await;
        // Full with one run, so that none takes another's on the way.
        let one_run = |name: &str| node_of(&test.db, &ambient, name, works(), 1);
        let killed = one_run("one");
        assert_eq!(from.recv().await, Some(Value::Null));
        let elsewhere = any_run(&test.db, &ambient).await;
        drop(killed);
        let _other = one_run("none");
        assert_eq!(from.recv().await, Some(Value::Null));
        let _again = one_run("one");
        ended(&test.db, run).await;
        assert_eq!(begun(&test.db, elsewhere).await.status, RunStatus::Running);
    }
}

/// What an owner that lost its run could still do.
#[derive(Debug, PartialEq, Eq)]
struct Attempted {
    told: Outcome,
    fence: bool,
    checkpoint: bool,
}

async fn attempt(db: &Database, run: &Running) -> Attempted {
    let told = run.stop_asked().await;
    let mut tx = db.begin().await.unwrap();
    let fence = run.fence(&mut tx).await.unwrap();
    let checkpoint = run.save_checkpoint(&mut tx, json!("stale")).await.unwrap();
    tx.commit().await.unwrap();
    Attempted { told, fence, checkpoint }
}

on_both! {
    async fn an_owner_that_was_overtaken_is_told_and_can_write_nothing(test) with &[&STORE, &MIGRATIONS]; {
        // The second node's clock is ahead, so that to it every lease of the first has lapsed.
        let (slow, _) = manual_time();
        let (fast, clock) = manual_time();
        clock.advance(Duration::from_mins(1));
        let run = any_run(&test.db, &slow).await;
        let (send, mut attempts) = mpsc::channel(1);
        let db = test.db.clone();
        let works = work(move |run| {
            let (db, send) = (db.clone(), send.clone());
            Box::pin(async move {
                send.send(attempt(&db, run).await).await.unwrap();
                Ok(Outcome::Cancelled)
            })
        });
        let _one = node(&test.db, &slow, "one", works);
        begun(&test.db, run).await;
        let (end, ends) = oneshot::channel::<()>();
        let _two = node(&test.db, &fast, "two", waits_for(ends));
        // Any ring makes the first node look at its runs.
        let overtaken = rings_until(&test.db, &slow, attempts.recv()).await;
        let nothing = Attempted { told: Outcome::HandedBack, fence: false, checkpoint: false };
        assert_eq!(overtaken, Some(nothing));
        end.send(()).unwrap();
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
    }
}

/// A work whose first run waits for `ends`; others are done at once.
fn waits_for(ends: oneshot::Receiver<()>) -> Vec<Arc<dyn Work>> {
    let ends = Mutex::new(Some(ends));
    work(move |_| {
        let first = ends.lock().unwrap().take();
        Box::pin(async move {
            if let Some(ends) = first {
                ends.await.unwrap();
            }
            Ok(Outcome::Done)
        })
    })
}

/// Enqueues runs (each rings) until `done`.
async fn rings_until<T>(db: &Database, ambient: &Ambient, done: impl Future<Output = T>) -> T {
    let rings = async {
        loop {
            any_run(db, ambient).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        done = done => done,
        () = rings => unreachable!("rings for ever"),
    }
}

on_both! {
    async fn a_run_that_a_works_transaction_holds_is_passed_over_until_it_ends(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        clock.advance(Duration::from_millis(1));
        let next = any_run(&test.db, &ambient).await;
        let (held, holds) = oneshot::channel();
        let (go, gone) = oneshot::channel();
        let (saved, saves) = oneshot::channel();
        let gates = Mutex::new(Some((held, gone, saved)));
        let db = test.db.clone();
        let works = work(move |run| {
            let (db, gates) = (db.clone(), gates.lock().unwrap().take());
            Box::pin(async move {
                if let Some((held, gone, saved)) = gates {
                    let mut tx = db.begin().await?;
                    assert!(run.fence(&mut tx).await?);
                    held.send(()).unwrap();
                    gone.await.unwrap();
                    saved.send(run.save_checkpoint(&mut tx, json!(1)).await?).unwrap();
                    tx.commit().await?;
                }
                Ok(Outcome::Done)
            })
        });
        let _one = node_of(&test.db, &ambient, "one", works, 1);
        holds.await.unwrap();
        clock.advance(Duration::from_mins(1));
        let _two = node(&test.db, &ambient, "two", quick());
        // On SQLite the transaction holds the whole database, and the next run has to wait as well.
        if test.db.dialect() == Dialect::Postgres {
            ended(&test.db, next).await;
        }
        go.send(()).unwrap();
        assert_eq!(saves.await, Ok(true));
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Done);
    }
}
