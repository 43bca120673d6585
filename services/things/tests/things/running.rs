//! Starting runs, following them, stopping them.

use std::sync::Arc;

use stoa_base::Id;
use stoa_identity::{Caller, Role};
use stoa_runs::RunStatus;
use stoa_testing::on_both;
use things::operations::ThingsError;
use things::operations::analyze_thing::analyze_thing;
use things::operations::cancel_run::cancel_run;
use things::operations::list_resources::list_resources;
use things::operations::list_runs::{ListRuns, list_runs};
use things::operations::prepare_workspace::prepare_workspace;
use things::operations::sync_resource::sync_resource;

use crate::house::{House, MIGRATIONS};

const ALL_RUNS: ListRuns = ListRuns { kind: None, status: None, limit: 50, cursor: None };

on_both! {
    async fn a_sync_is_queued_debited_listed_and_done(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.txt", "word");
        let caller = Arc::new(Caller { run_budget: Some(2), ..house.member() });
        let act = house.act(&caller);
        let run = sync_resource(&house.things, &caller, &act, folder.id, false).await.unwrap();
        let queued = list_runs(&house.things, &caller, &ALL_RUNS).await.unwrap();
        assert_eq!((queued.runs[0].id, queued.runs[0].status), (run, RunStatus::Queued));
        assert_eq!(queued.runs[0].resource_id, Some(folder.id));
        assert_eq!((queued.budget.used, queued.budget.limit), (1, 2));
        let state = list_resources(&house.things, &caller).await.unwrap();
        assert_eq!(state[0].sync.state, "queued");
        house.work(run).await;
        let done = list_runs(&house.things, &caller, &ALL_RUNS).await.unwrap();
        assert_eq!((done.runs[0].status, done.runs[0].progress.done), (RunStatus::Done, 1));
        let state = list_resources(&house.things, &caller).await.unwrap();
        assert_eq!((state[0].sync.state, state[0].sync.last_at.is_some()), ("done", true));
    }
}

on_both! {
    async fn a_live_sync_is_the_answer_to_whoever_asks_and_may_be_followed(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let (first, second) = (Arc::new(house.member()), Arc::new(house.member()));
        let run = sync_resource(&house.things, &first, &house.act(&first), folder.id, false).await.unwrap();
        let same = sync_resource(&house.things, &second, &house.act(&second), folder.id, false).await.unwrap();
        assert_eq!(run, same);
        let seen = list_runs(&house.things, &second, &ALL_RUNS).await.unwrap();
        assert_eq!((seen.runs[0].id, seen.budget.used), (run, 0));
    }
}

on_both! {
    async fn over_the_budget_nothing_starts_and_nothing_is_debited(test) with MIGRATIONS; {
        let house = House::new(test);
        let (one, two) = (house.add("one").await, house.add("two").await);
        let caller = Arc::new(Caller { run_budget: Some(1), ..house.member() });
        sync_resource(&house.things, &caller, &house.act(&caller), one.id, false).await.unwrap();
        for _ in 0..3 {
            let act = house.act(&caller);
            let refused = sync_resource(&house.things, &caller, &act, two.id, false).await;
            let Err(ThingsError::OverBudget(state)) = refused else { panic!("{refused:?}") };
            assert_eq!((state.used, state.limit), (1, 1));
            assert!(state.retry_after_ms > 0);
        }
        let seen = list_runs(&house.things, &caller, &ALL_RUNS).await.unwrap();
        assert_eq!((seen.runs.len(), seen.budget.used), (1, 1));
    }
}

on_both! {
    async fn a_run_is_stopped_by_who_started_it_and_by_nobody_else(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let (owner, stranger) = (Arc::new(house.member()), Arc::new(house.member()));
        let run = sync_resource(&house.things, &owner, &house.act(&owner), folder.id, false).await.unwrap();
        let unknown = cancel_run(&house.things, &owner, &house.act(&owner), Id::new(house.ambient())).await;
        let unknown = unknown.unwrap_err().to_string();
        let refused = cancel_run(&house.things, &stranger, &house.act(&stranger), run).await.unwrap_err();
        assert_eq!(refused.to_string(), unknown);
        sync_resource(&house.things, &stranger, &house.act(&stranger), folder.id, false).await.unwrap();
        let waits = cancel_run(&house.things, &stranger, &house.act(&stranger), run).await.unwrap_err();
        assert_eq!(waits.to_string(), unknown);
        let stopped = cancel_run(&house.things, &owner, &house.act(&owner), run).await.unwrap();
        assert_eq!((stopped.status, stopped.cancel_requested), (RunStatus::Cancelled, true));
    }
}

on_both! {
    async fn a_role_that_no_longer_allows_it_is_denied(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let caller = Arc::new(Caller { scopes: "things:read".parse().unwrap(), role: Role::Owner, ..house.member() });
        let refused = sync_resource(&house.things, &caller, &house.act(&caller), folder.id, false).await;
        assert!(matches!(refused, Err(ThingsError::Denied { .. })), "{refused:?}");
    }
}

on_both! {
    async fn analysis_of_one_thing_is_a_run_of_its_own(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.txt", "word");
        folder.sync().await;
        let (caller, id) = (Arc::new(house.member()), folder.thing("a.txt").await.unwrap());
        let run = analyze_thing(&house.things, &caller, &house.act(&caller), id, true).await.unwrap();
        assert_eq!(house.work(run).await.status, RunStatus::Done);
        let seen = list_runs(&house.things, &caller, &ALL_RUNS).await.unwrap();
        assert_eq!((seen.runs[0].kind.as_str(), seen.runs[0].resource_id), ("analyze", None));
    }
}

on_both! {
    async fn the_default_storage_is_listed_and_counts_once_something_lies_in_it(test) with MIGRATIONS; {
        let house = House::new(test);
        prepare_workspace(&house.things, house.workspace).await.unwrap();
        prepare_workspace(&house.things, house.workspace).await.unwrap();
        let caller = Arc::new(house.member());
        let listed = list_resources(&house.things, &caller).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].name.as_str(), listed[0].default, listed[0].sync.state), ("storage", true, "never"));
    }
}
