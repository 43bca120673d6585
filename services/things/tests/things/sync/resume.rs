//! Syncs that are cancelled, cut short or killed: what they did stays, and the next one ends where an
//! undisturbed one would.

use std::time::Duration;

use stoa_runs::{RunStatus, request_cancel};
use stoa_store::Dialect;
use stoa_testing::on_both;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::snapshot::snapshot;
use crate::house::{House, MIGRATIONS, Resource};

/// A tree with something of everything: copies, renames to come, large files.
fn fill(folder: &Resource<'_>) {
    for n in 0..180 {
        folder.write(format!("{}/{n}.txt", n % 11), format!("file {} says words", n % 150));
    }
    folder.write("large/one", vec![b'1'; (1 << 20) + 1]);
    folder.write("large/copy", vec![b'1'; (1 << 20) + 1]);
    folder.write("large/text.md", format!("# Title\n\n{}", "x".repeat(1 << 20)));
}

fn change(folder: &Resource<'_>) {
    for n in 0..60 {
        let path = format!("{}/{n}.txt", n % 11);
        match n % 4 {
            0 => folder.remove(&path),
            1 => folder.write(&path, format!("file {n} says something else")),
            2 => folder.rename(&path, &format!("moved/{n}.md")),
            _ => folder.write(format!("new/{n}"), format!("new {n}")),
        }
    }
    folder.rename("large/one", "large/uno");
}

/// What happens to the tree before each sync.
const STEPS: &[fn(&Resource<'_>)] = &[fill, change];

/// The catalog after syncs that nobody disturbed, in a database of the same kind.
async fn undisturbed(dialect: Dialect) -> String {
    let house = House::new(match dialect {
        Dialect::Sqlite => stoa_testing::sqlite(MIGRATIONS).await,
        Dialect::Postgres => stoa_testing::postgres(MIGRATIONS).await,
    });
    let folder = house.add("docs").await;
    for step in STEPS {
        step(&folder);
        folder.sync().await;
    }
    snapshot(&house.test.db).await
}

/// Syncs in a process that dies again and again; answers how often it died. `seed` says when.
async fn sync_and_die(folder: &Resource<'_>, seed: u64) -> u64 {
    let house = folder.house;
    for kills in 0.. {
        let run = house.enqueue(&folder.new_sync(false)).await;
        let (db, ambient, works, workspace) =
            (house.test.db.clone(), house.ambient().clone(), house.works(), house.workspace);
        let process = AbortOnDropHandle::new(tokio::spawn(async move {
            stoa_runs::work_one(&db, &ambient, works, workspace, run, CancellationToken::new()).await
        }));
        let life = Duration::from_millis((seed * 31 + kills * 17) % (20 + 10 * kills + kills * kills));
        if let Ok(ended) = tokio::time::timeout(life, process).await
            && ended.unwrap().unwrap().unwrap().status == RunStatus::Done
        {
            return kills;
        }
        // The dead one's lease lapses.
        house.clock.advance(Duration::from_mins(1));
    }
    unreachable!("the loop has no end")
}

on_both! {
    async fn a_sync_that_is_killed_at_any_moment_ends_as_an_undisturbed_one(test) with MIGRATIONS; {
        let expected = undisturbed(test.db.dialect()).await;
        assert!(!expected.contains("FAULT"), "{expected}");
        let mut house = House::new(test);
        let mut kills = 0;
        for seed in 0..2 {
            let folder = house.add("docs").await;
            for step in STEPS {
                step(&folder);
                kills += sync_and_die(&folder, seed).await;
            }
            let text = snapshot(&house.test.db).await;
            pretty_assert(&text, &expected);
            let dialect = house.test.db.dialect();
            house = House::new(match dialect {
                Dialect::Sqlite => stoa_testing::sqlite(MIGRATIONS).await,
                Dialect::Postgres => stoa_testing::postgres(MIGRATIONS).await,
            });
        }
        assert!(kills > 8, "only {kills} kills");
    }
}

on_both! {
    async fn a_cancelled_sync_keeps_what_it_did_and_the_next_one_does_the_rest(test) with MIGRATIONS; {
        let expected = undisturbed(test.db.dialect()).await;
        let house = House::new(test);
        let folder = house.add("docs").await;
        for step in STEPS {
            step(&folder);
            let run = house.enqueue(&folder.new_sync(false)).await;
            let cancel = async {
                tokio::task::yield_now().await;
                let mut tx = house.test.db.begin().await.unwrap();
                request_cancel(&mut tx, house.ambient(), house.workspace, run).await.unwrap();
                tx.commit().await.unwrap();
            };
            let (row, ()) = tokio::join!(house.work(run), cancel);
            assert_eq!(row.status, RunStatus::Cancelled);
            assert!(!snapshot(&house.test.db).await.contains("FAULT"));
            folder.sync().await;
        }
        pretty_assert(&snapshot(&house.test.db).await, &expected);
    }
}

/// Shows the first line that differs, not two catalogs.
fn pretty_assert(text: &str, expected: &str) {
    for (line, expected) in text.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(text.len(), expected.len());
}
