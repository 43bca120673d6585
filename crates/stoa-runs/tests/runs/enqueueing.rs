//! Live keys and budgets.

use std::time::Duration;

use futures::future::join_all;
use stoa_base::InstallationId;
use stoa_runs::{
    BudgetState, EnqueueError, Enqueued, MIGRATIONS, NewRun, RunFilter, RunStatus, budget, enqueue, list,
    request_cancel,
};
use stoa_store::MIGRATIONS as STORE;
use stoa_testing::{START, manual_time, on_both};
use uuid::Uuid;

use crate::support::{INSTALLATION, WORKSPACE, all, ask, keyed, new_run};

fn refused(asked: Result<Enqueued, EnqueueError>) -> BudgetState {
    match asked {
        Err(EnqueueError::OverBudget(state)) => state,
        other => panic!("not refused: {other:?}"),
    }
}

on_both! {
    async fn a_second_run_with_a_live_key_is_the_first_and_debits_nothing(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let first = ask(&test.db, &ambient, &keyed("things/sync/1"), Some(1)).await.unwrap();
        let again = ask(&test.db, &ambient, &keyed("things/sync/1"), Some(1)).await.unwrap();
        assert!(matches!(first, Enqueued::New(_)));
        assert_eq!(again, Enqueued::Live(first.id()));
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 1).await.unwrap().used, 1);
        assert_eq!(list(&test.db, &all()).await.unwrap().len(), 1);
    }
}

on_both! {
    async fn a_live_key_is_free_again_when_its_run_is_over(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let first = ask(&test.db, &ambient, &keyed("things/sync/1"), None).await.unwrap();
        let mut tx = test.db.begin().await.unwrap();
        request_cancel(&mut tx, &ambient, WORKSPACE, first.id()).await.unwrap();
        tx.commit().await.unwrap();
        let second = ask(&test.db, &ambient, &keyed("things/sync/1"), None).await.unwrap();
        assert!(matches!(second, Enqueued::New(id) if id != first.id()));
    }
}

on_both! {
    async fn many_who_ask_for_one_key_at_once_get_one_run_and_pay_once(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = keyed("things/sync/1");
        let asked = join_all((0..50).map(|_| ask(&test.db, &ambient, &run, Some(10)))).await;
        let ids: Vec<_> = asked.into_iter().map(|asked| asked.unwrap().id()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 10).await.unwrap().used, 1);
    }
}

on_both! {
    async fn fifty_who_ask_at_once_start_exactly_the_ten_of_the_budget(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let run = new_run();
        let asked = join_all((0..50).map(|_| ask(&test.db, &ambient, &run, Some(10)))).await;
        assert_eq!(asked.iter().filter(|asked| asked.is_ok()).count(), 10);
        assert!(asked.into_iter().filter(Result::is_err).all(|asked| refused(asked).used == 10));
        assert_eq!(list(&test.db, &all()).await.unwrap().len(), 10);
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 10).await.unwrap().used, 10);
    }
}

on_both! {
    async fn a_spent_budget_says_when_it_is_full_again_and_then_is(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        clock.advance(Duration::from_mins(20));
        ask(&test.db, &ambient, &new_run(), Some(1)).await.unwrap();
        let state = refused(ask(&test.db, &ambient, &new_run(), Some(1)).await);
        let resets_at = START.plus(Duration::from_hours(1));
        assert_eq!(state, BudgetState { used: 1, limit: 1, resets_at, retry_after_ms: 40 * 60 * 1000 });
        clock.advance(Duration::from_mins(40));
        assert!(ask(&test.db, &ambient, &new_run(), Some(1)).await.is_ok());
    }
}

on_both! {
    async fn the_transaction_of_a_refused_run_goes_on_without_it(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let mut tx = test.db.begin().await.unwrap();
        refused(enqueue(&mut tx, &ambient, &keyed("a"), Some(0)).await);
        let free = enqueue(&mut tx, &ambient, &keyed("a"), None).await.unwrap();
        tx.commit().await.unwrap();
        let runs = list(&test.db, &all()).await.unwrap();
        assert_eq!((runs.len(), runs[0].id, runs[0].status), (1, free.id(), RunStatus::Queued));
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 1).await.unwrap().used, 0);
    }
}

on_both! {
    async fn a_transaction_that_is_dropped_starts_and_debits_nothing(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let mut tx = test.db.begin().await.unwrap();
        enqueue(&mut tx, &ambient, &new_run(), Some(1)).await.unwrap();
        tx.rollback().await.unwrap();
        assert_eq!(list(&test.db, &all()).await.unwrap(), []);
        assert_eq!(budget(&test.db, &ambient, INSTALLATION, 1).await.unwrap().retry_after_ms, 0);
    }
}

on_both! {
    async fn who_asked_for_a_live_run_of_somebody_else_sees_it_and_others_do_not(test) with &[&STORE, &MIGRATIONS]; {
        let (ambient, _) = manual_time();
        let [follower, stranger] = [8, 9].map(|n| InstallationId::from_uuid(Uuid::from_u128(n)));
        let run = ask(&test.db, &ambient, &keyed("a"), None).await.unwrap().id();
        for _ in 0..2 {
            let asks = NewRun { starter: Some(follower), ..keyed("a") };
            assert_eq!(ask(&test.db, &ambient, &asks, Some(1)).await.unwrap(), Enqueued::Live(run));
        }
        for (installation, sees) in [(INSTALLATION, 1), (follower, 1), (stranger, 0)] {
            let filter = RunFilter { starter: Some(installation), ..all() };
            assert_eq!(list(&test.db, &filter).await.unwrap().len(), sees);
        }
    }
}
