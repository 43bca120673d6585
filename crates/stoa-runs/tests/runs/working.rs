//! Workers of several nodes share the queue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use stoa_runs::{MIGRATIONS, NewRun, Outcome, RunId, RunStatus, Workers};
use stoa_store::{Database, MIGRATIONS as STORE};
use stoa_testing::{manual_time, on_both};

use crate::support::{WORKSPACE, any_run, ask, ended, new_run, node, quick, work};

const RUNS: usize = 200;

on_both! {
    async fn eight_workers_of_two_nodes_do_each_run_exactly_once(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let done = Arc::new(Mutex::new(HashMap::<RunId, u32>::new()));
        let counting = || {
            let done = done.clone();
            work(move |run| {
                *done.lock().unwrap().entry(run.id()).or_default() += 1;
                Box::pin(async {
                    tokio::task::yield_now().await;
                    Ok(Outcome::Done)
                })
            })
        };
        let other = Database::open(&test.url).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..RUNS {
            ids.push(any_run(&test.db, &ambient).await);
        }
        let _one = Workers::start(test.db.clone(), ambient.clone(), "one".to_owned(), counting(), 4);
        let _two = Workers::start(other, ambient.clone(), "two".to_owned(), counting(), 4);
        for id in &ids {
            assert_eq!(ended(&test.db, *id).await.status, RunStatus::Done);
        }
        let done = done.lock().unwrap();
        assert_eq!(done.len(), RUNS);
        assert!(done.values().all(|times| *times == 1));
    }
}

on_both! {
    async fn the_oldest_run_is_done_first_with_what_it_was_given(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let mut last = None;
        for n in 0..5 {
            let run = NewRun { payload: json!({ "n": n }), ..new_run() };
            last = Some(ask(&test.db, &ambient, &run, None).await.unwrap().id());
            clock.advance(Duration::from_millis(1));
        }
        let order = Arc::new(Mutex::new(Vec::new()));
        let seen = order.clone();
        let works = work(move |run| {
            seen.lock().unwrap().push(run.payload()["n"].as_u64().unwrap());
            Box::pin(async { Ok(Outcome::Done) })
        });
        let _workers = Workers::start(test.db.clone(), ambient, "one".to_owned(), works, 1);
        ended(&test.db, last.unwrap()).await;
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
    }
}

on_both! {
    async fn a_kind_that_the_node_does_not_know_is_left_to_others(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let foreign = NewRun { service: "rooms", ..new_run() };
        let foreign = ask(&test.db, &ambient, &foreign, None).await.unwrap().id();
        let ours = any_run(&test.db, &ambient).await;
        let _workers = node(&test.db, &ambient, "one", quick());
        ended(&test.db, ours).await;
        let row = stoa_runs::get(&test.db, WORKSPACE, foreign).await.unwrap().unwrap();
        assert_eq!(row.status, RunStatus::Queued);
    }
}
