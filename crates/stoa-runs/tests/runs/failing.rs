//! Works that fail, and what people are told.

use stoa_base::incident::IncidentId;
use stoa_runs::{MIGRATIONS, RunRow, RunStatus, WorkError};
use stoa_store::{MIGRATIONS as STORE, StoreError};
use stoa_testing::{TestDatabase, manual_time, on_both};

use crate::support::{Doing, any_run, ended, node, work};

/// A run whose work fails so, on a node that takes the next run all the same.
async fn failed(test: &TestDatabase, fails: fn() -> Doing<'static>) -> RunRow {
    let (ambient, _) = manual_time();
    let run = any_run(&test.db, &ambient).await;
    let _workers = node(&test.db, &ambient, "one", work(move |_| fails()));
    let row = ended(&test.db, run).await;
    let next = any_run(&test.db, &ambient).await;
    assert_eq!(ended(&test.db, next).await.status, RunStatus::Failed);
    row
}

on_both! {
    async fn a_failing_work_says_why(test) with &[&STORE, &MIGRATIONS]; {
        let row = failed(&test, || {
            Box::pin(async { Err(WorkError::Failed("the folder is gone".to_owned())) })
        })
        .await;
        assert_eq!(row.status, RunStatus::Failed);
        assert_eq!(row.error.as_deref(), Some("the folder is gone"));
        assert!(row.finished_at.is_some());
    }
}

on_both! {
    async fn a_panic_and_an_internal_error_tell_people_an_incident_only(test) with &[&STORE, &MIGRATIONS]; {
        let panicked = failed(&test, || Box::pin(async { panic!("secret of the panic") })).await;
        let broken = failed(&test, || Box::pin(async { Err(StoreError::UnknownUrl.into()) })).await;
        for row in [panicked, broken] {
            assert_eq!(row.status, RunStatus::Failed);
            let (text, incident) = row.error.as_deref().unwrap().rsplit_once(' ').unwrap();
            assert_eq!(text, "internal error; the server's log tells more under incident");
            assert!(incident.parse::<IncidentId>().is_ok(), "{incident}");
        }
    }
}
