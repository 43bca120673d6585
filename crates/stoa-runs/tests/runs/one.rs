//! The command line's `--wait`.

use futures::StreamExt;
use stoa_base::WorkspaceId;
use stoa_runs::{MIGRATIONS, RunId, RunStatus, watch, work_one};
use stoa_store::MIGRATIONS as STORE;
use stoa_testing::{manual_time, on_both};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{WORKSPACE, any_run, begun, node, patient, quick};

on_both! {
    async fn a_command_without_a_server_does_its_run_and_no_other(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let other = any_run(&test.db, &ambient).await;
        let run = any_run(&test.db, &ambient).await;
        let never = CancellationToken::new();
        let row = work_one(&test.db, &ambient, quick(), WORKSPACE, run, never).await.unwrap();
        assert_eq!(row.map(|row| (row.id, row.status)), Some((run, RunStatus::Done)));
        let row = stoa_runs::get(&test.db, WORKSPACE, other).await.unwrap().unwrap();
        assert_eq!(row.status, RunStatus::Queued);
    }
}

on_both! {
    async fn a_command_beside_a_server_waits_for_the_servers_worker(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let server = node(&test.db, &ambient, "one", patient());
        begun(&test.db, run).await;
        let never = CancellationToken::new();
        let command = work_one(&test.db, &ambient, quick(), WORKSPACE, run, never);
        // The server hands the run back, and the command goes on with it.
        let (row, ()) = tokio::join!(command, server.stop());
        assert_eq!(row.unwrap().unwrap().status, RunStatus::Done);
    }
}

on_both! {
    async fn a_command_that_is_stopped_hands_its_run_back(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let stop = CancellationToken::new();
        let command = work_one(&test.db, &ambient, patient(), WORKSPACE, run, stop.clone());
        let stopping = async {
            begun(&test.db, run).await;
            stop.cancel();
        };
        let (row, ()) = tokio::join!(command, stopping);
        assert_eq!(row.unwrap().unwrap().status, RunStatus::Queued);
    }
}

on_both! {
    async fn a_run_of_another_workspace_is_neither_done_nor_shown(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let other = WorkspaceId::from_uuid(Uuid::from_u128(99));
        let never = CancellationToken::new();
        assert_eq!(work_one(&test.db, &ambient, quick(), other, run, never).await.unwrap(), None);
        assert_eq!(watch(&test.db, other, run).count().await, 0);
        assert_eq!(watch(&test.db, WORKSPACE, RunId::new(&ambient)).count().await, 0);
    }
}

on_both! {
    async fn watching_shows_each_change_once_and_ends_with_the_run(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = any_run(&test.db, &ambient).await;
        let mut rows = Box::pin(watch(&test.db, WORKSPACE, run));
        assert_eq!(rows.next().await.unwrap().unwrap().status, RunStatus::Queued);
        let server = node(&test.db, &ambient, "one", patient());
        assert_eq!(rows.next().await.unwrap().unwrap().status, RunStatus::Running);
        server.stop().await;
        assert_eq!(rows.next().await.unwrap().unwrap().status, RunStatus::Queued);
        let _server = node(&test.db, &ambient, "one", quick());
        let rest: Vec<_> = rows.map(|row| row.unwrap().status).collect().await;
        assert_eq!(rest.last(), Some(&RunStatus::Done));
    }
}
