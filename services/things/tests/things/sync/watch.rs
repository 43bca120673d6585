//! Folders that are watched: a change is followed by a sync without anybody asking.

use stoa_runs::{RunFilter, RunStatus, Workers};
use stoa_testing::on_both;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::house::{House, MIGRATIONS, Resource};

/// A server's background: workers and the watch.
struct Background {
    workers: Workers,
    watch: AbortOnDropHandle<()>,
    stop: CancellationToken,
}

impl Background {
    fn start(house: &House, node: &str) -> Self {
        let workers =
            Workers::start(house.test.db.clone(), house.ambient().clone(), node.to_owned(), house.works(), 2);
        let stop = CancellationToken::new();
        let watch = things::watch::run(house.things.clone(), node.to_owned(), stop.clone());
        Self { workers, watch: AbortOnDropHandle::new(tokio::spawn(watch)), stop }
    }

    async fn stop(self) {
        self.stop.cancel();
        self.watch.await.unwrap();
        self.workers.stop().await;
    }
}

/// Waits until there is, or is not, a thing at the key.
async fn until(folder: &Resource<'_>, key: &str, there: bool) {
    let mut runs = folder.house.test.db.wakeups().subscribe(stoa_runs::RUNS);
    while folder.thing(key).await.is_some() != there {
        runs.changed().await.unwrap();
    }
}

async fn runs(house: &House) -> usize {
    let filter = RunFilter {
        workspace: house.workspace,
        starter: None,
        account: None,
        service: None,
        kind: None,
        status: Some(RunStatus::Done),
        limit: 100,
        after: None,
    };
    stoa_runs::list(&house.test.db, &filter).await.unwrap().len()
}

on_both! {
    async fn changes_are_followed_also_those_of_while_nobody_watched(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("before", "before");
        folder.sync().await;
        folder.write("down", "written while the server was down");
        let background = Background::start(&house, "one");
        until(&folder, "down", true).await;
        folder.write("deep/new", "new");
        until(&folder, "deep/new", true).await;
        folder.remove("before");
        until(&folder, "before", false).await;
        folder.rename("deep", "deeper");
        until(&folder, "deeper/new", true).await;
        background.stop().await;
        let synced = runs(&house).await;
        assert!((4..=6).contains(&synced), "{synced} syncs");
    }
}

on_both! {
    async fn a_new_resource_is_noticed_and_watched_before_it_was_ever_synced(test) with MIGRATIONS; {
        let house = House::new(test);
        let background = Background::start(&house, "one");
        let folder = house.add("docs").await;
        // Until the watch has begun a change is not heard; it is made again.
        for n in 0.. {
            folder.write("a", format!("{n}"));
            let seen = until(&folder, "a", true);
            if tokio::time::timeout(std::time::Duration::from_secs(3), seen).await.is_ok() {
                break;
            }
        }
        background.stop().await;
    }
}
