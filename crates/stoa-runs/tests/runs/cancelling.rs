//! Asking a run to stop.

use std::time::Duration;

use stoa_base::{Ambient, WorkspaceId};
use stoa_runs::{CancelState, MIGRATIONS, RunId, RunStatus, request_cancel};
use stoa_store::{Database, MIGRATIONS as STORE};
use stoa_testing::{START, manual_time, on_both};
use uuid::Uuid;

use crate::support::{WORKSPACE, any_run, begun, ended, node, patient, quick, stubborn};

async fn cancel(db: &Database, ambient: &Ambient, workspace: WorkspaceId, run: RunId) -> Option<CancelState> {
    let mut tx = db.begin().await.unwrap();
    let state = request_cancel(&mut tx, ambient, workspace, run).await.unwrap();
    tx.commit().await.unwrap();
    state
}

on_both! {
    async fn a_queued_run_is_cancelled_at_once(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let state = cancel(&test.db, &ambient, WORKSPACE, run).await;
        assert_eq!(state, Some(CancelState { status: RunStatus::Cancelled, cancel_requested: true }));
        assert_eq!(ended(&test.db, run).await.finished_at, Some(START));
    }
}

on_both! {
    async fn a_running_run_is_told_and_stops(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let _workers = node(&test.db, &ambient, "one", patient());
        begun(&test.db, run).await;
        let state = cancel(&test.db, &ambient, WORKSPACE, run).await;
        assert_eq!(state, Some(CancelState { status: RunStatus::Running, cancel_requested: true }));
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Cancelled);
    }
}

on_both! {
    async fn a_run_that_is_over_stays_as_it_is(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let _workers = node(&test.db, &ambient, "one", quick());
        ended(&test.db, run).await;
        let state = cancel(&test.db, &ambient, WORKSPACE, run).await;
        assert_eq!(state, Some(CancelState { status: RunStatus::Done, cancel_requested: false }));
    }
}

on_both! {
    async fn a_run_of_another_workspace_is_unknown_and_untouched(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let other = WorkspaceId::from_uuid(Uuid::from_u128(99));
        assert_eq!(cancel(&test.db, &ambient, other, run).await, None);
        let row = stoa_runs::get(&test.db, WORKSPACE, run).await.unwrap().unwrap();
        assert_eq!((row.status, row.cancel_requested), (RunStatus::Queued, false));
        assert_eq!(stoa_runs::get(&test.db, other, run).await.unwrap(), None);
    }
}

on_both! {
    async fn a_run_whose_worker_died_is_cancelled_without_beginning_again(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let killed = node(&test.db, &ambient, "one", stubborn());
        begun(&test.db, run).await;
        drop(killed);
        cancel(&test.db, &ambient, WORKSPACE, run).await;
        clock.advance(Duration::from_secs(15));
        let _other = node(&test.db, &ambient, "two", quick());
        assert_eq!(ended(&test.db, run).await.status, RunStatus::Cancelled);
    }
}
