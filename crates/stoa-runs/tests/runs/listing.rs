//! Pages of runs, and when rows die.

use std::collections::HashSet;
use std::time::Duration;

use stoa_base::{AccountId, InstallationId, WorkspaceId};
use stoa_runs::{MIGRATIONS, NewRun, Pruned, RunFilter, RunStatus, budget, list, prune};
use stoa_store::MIGRATIONS as STORE;
use stoa_testing::{manual_time, on_both};
use uuid::Uuid;

use crate::support::{INSTALLATION, WORKSPACE, all, any_run, ask, ended, new_run, node, quick};

on_both! {
    async fn pages_neither_skip_nor_repeat_while_runs_are_added(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let mut there = HashSet::new();
        for n in 0..25 {
            there.insert(any_run(&test.db, &ambient).await);
            // Some share their instant.
            clock.advance(Duration::from_millis(n % 2));
        }
        clock.advance(Duration::from_millis(1));
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = list(&test.db, &RunFilter { limit: 4, after, ..all() }).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some((last.created_at, last.id));
            seen.extend(page);
            any_run(&test.db, &ambient).await;
        }
        assert!(seen.is_sorted_by(|a, b| (a.created_at, a.id) > (b.created_at, b.id)));
        assert_eq!(seen.len(), there.len());
        assert_eq!(seen.into_iter().map(|run| run.id).collect::<HashSet<_>>(), there);
    }
}

on_both! {
    async fn each_filter_narrows_the_list(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let other = InstallationId::from_uuid(Uuid::from_u128(3));
        let account = AccountId::from_uuid(Uuid::from_u128(5));
        let foreign = WorkspaceId::from_uuid(Uuid::from_u128(4));
        any_run(&test.db, &ambient).await;
        for run in [
            NewRun { kind: "export", ..new_run() },
            NewRun { service: "rooms", ..new_run() },
            NewRun { starter: Some(other), account: Some(account), ..new_run() },
            NewRun { workspace: foreign, ..new_run() },
        ] {
            ask(&test.db, &ambient, &run, None).await.unwrap();
        }
        let count = async |filter: RunFilter<'static>| list(&test.db, &filter).await.unwrap().len();
        assert_eq!(count(all()).await, 4);
        assert_eq!(count(RunFilter { workspace: foreign, ..all() }).await, 1);
        assert_eq!(count(RunFilter { starter: Some(INSTALLATION), ..all() }).await, 3);
        assert_eq!(count(RunFilter { account: Some(account), ..all() }).await, 1);
        assert_eq!(count(RunFilter { service: Some("things"), ..all() }).await, 3);
        assert_eq!(count(RunFilter { kind: Some("export"), ..all() }).await, 1);
        assert_eq!(count(RunFilter { status: Some(RunStatus::Queued), ..all() }).await, 4);
        assert_eq!(count(RunFilter { status: Some(RunStatus::Done), ..all() }).await, 0);
    }
}

on_both! {
    async fn what_ended_thirty_days_ago_is_deleted_and_nothing_else(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let old = ask(&test.db, &ambient, &new_run(), Some(9)).await.unwrap().id();
        let workers = node(&test.db, &ambient, "one", quick());
        ended(&test.db, old).await;
        workers.stop().await;
        let waiting = any_run(&test.db, &ambient).await;
        clock.advance(Duration::from_hours(30 * 24));
        ask(&test.db, &ambient, &new_run(), Some(9)).await.unwrap();
        assert_eq!(prune(&test.db, &ambient).await.unwrap(), Pruned { runs: 0, windows: 1 });
        clock.advance(Duration::from_secs(1));
        assert_eq!(prune(&test.db, &ambient).await.unwrap(), Pruned { runs: 1, windows: 0 });
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 9).await.unwrap().used, 1);
        assert_eq!(list(&test.db, &all()).await.unwrap().last().unwrap().id, waiting);
        assert_eq!(stoa_runs::get(&test.db, WORKSPACE, old).await.unwrap(), None);
    }
}
