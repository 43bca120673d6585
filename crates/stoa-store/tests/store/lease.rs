use std::time::Duration;

use stoa_store::{Lease, MIGRATIONS};
use stoa_testing::{manual_time, on_both};

const MINUTE: Duration = Duration::from_mins(1);

on_both! {
    async fn one_node_at_a_time_holds_it(test) with &[&MIGRATIONS]; {
        let (ambient, _clock) = manual_time();
        let (first, second) = (Lease::new("job", "a", MINUTE), Lease::new("job", "b", MINUTE));
        let until = first.hold(&test.db, &ambient).await.unwrap();
        assert_eq!(until, Some(ambient.now().plus(MINUTE)));
        assert_eq!(second.hold(&test.db, &ambient).await.unwrap(), None);
        assert!(Lease::new("other", "b", MINUTE).hold(&test.db, &ambient).await.unwrap().is_some());
    }
}

on_both! {
    async fn its_holder_renews_it(test) with &[&MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let lease = Lease::new("job", "a", MINUTE);
        lease.hold(&test.db, &ambient).await.unwrap();
        clock.advance(MINUTE / 2);
        assert_eq!(lease.hold(&test.db, &ambient).await.unwrap(), Some(ambient.now().plus(MINUTE)));
    }
}

on_both! {
    async fn a_lapsed_or_released_one_is_free(test) with &[&MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let (first, second) = (Lease::new("job", "a", MINUTE), Lease::new("job", "b", MINUTE));
        first.hold(&test.db, &ambient).await.unwrap();
        clock.advance(MINUTE);
        assert!(second.hold(&test.db, &ambient).await.unwrap().is_some());
        first.release(&test.db).await.unwrap();
        assert_eq!(first.hold(&test.db, &ambient).await.unwrap(), None, "not the first one's to release");
        second.release(&test.db).await.unwrap();
        assert!(first.hold(&test.db, &ambient).await.unwrap().is_some());
    }
}

on_both! {
    async fn of_many_who_reach_for_it_one_gets_it(test) with &[&MIGRATIONS]; {
        let (ambient, _clock) = manual_time();
        let reach = (0..12).map(|node| {
            let (db, ambient) = (&test.db, &ambient);
            async move { Lease::new("job", format!("node-{node}"), MINUTE).hold(db, ambient).await.unwrap() }
        });
        let held = futures::future::join_all(reach).await;
        assert_eq!(held.iter().flatten().count(), 1);
    }
}
