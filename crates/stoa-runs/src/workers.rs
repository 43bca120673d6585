//! The workers of one node.

use std::sync::Arc;
use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::Database;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::claim::{Claimed, POLL, lapse_earlier};
use crate::worker::Worker;
use crate::{RUNS, Work};

/// How long a stopping node waits for its works.
const PATIENCE: Duration = Duration::from_secs(10);

/// The workers of one node. Dropped without [`Workers::stop`] they end where they are, as if the process had
/// been killed: their runs go on once their leases lapse, or when this node is started again.
#[derive(Debug)]
pub struct Workers {
    stop: CancellationToken,
    pool: AbortOnDropHandle<()>,
}

impl Workers {
    /// Starts working on runs of the kinds in `works`, `size` at a time, until stopped.
    ///
    /// `node` is the node's own name, the same at its next start: what an earlier incarnation of it left
    /// running is taken at once.
    #[must_use]
    pub fn start(
        db: Database,
        ambient: Ambient,
        node: String,
        works: Vec<Arc<dyn Work>>,
        size: usize,
    ) -> Self {
        let stop = CancellationToken::new();
        let worker = Worker::new(db, ambient, &node, works, stop.clone());
        let pool = AbortOnDropHandle::new(tokio::spawn(pool(Arc::new(worker), node, size)));
        Self { stop, pool }
    }

    /// Takes no more runs and hands back those under way. After 10 seconds it leaves the rest to their
    /// leases.
    pub async fn stop(self) {
        self.stop_within(PATIENCE).await;
    }

    /// Like [`Self::stop`], but waits no longer than `patience`.
    pub async fn stop_within(self, patience: Duration) {
        self.stop.cancel();
        if tokio::time::timeout(patience, self.pool).await.is_err() {
            tracing::warn!("some runs did not stop in time; they go on elsewhere when their leases lapse");
        }
    }
}

async fn pool(worker: Arc<Worker>, node: String, size: usize) {
    let mut bell = worker.db.wakeups().subscribe(RUNS);
    let mut under_way = JoinSet::new();
    take_over(&worker, &node).await;
    while !worker.stop.is_cancelled() {
        let room = under_way.len() < size;
        if room && let Some(claimed) = next(&worker).await {
            let worker = worker.clone();
            under_way.spawn(async move { worker.perform(claimed).await });
        } else {
            wait(&worker, &mut bell, &mut under_way).await;
        }
    }
    while under_way.join_next().await.is_some() {}
}

/// Waits until there may be something to claim and room for it.
async fn wait(worker: &Worker, bell: &mut watch::Receiver<u64>, under_way: &mut JoinSet<()>) {
    tokio::select! {
        Some(_) = under_way.join_next() => {}
        Ok(()) = bell.changed() => {}
        () = tokio::time::sleep(POLL) => {}
        () = worker.stop.cancelled() => {}
    }
}

async fn take_over(worker: &Worker, node: &str) {
    if let Err(error) = lapse_earlier(&worker.db, worker.ambient.now(), node, &worker.owner).await {
        tracing::warn!(%error, "runs of this node's last start go on only when their leases lapse");
    }
}

async fn next(worker: &Worker) -> Option<Claimed> {
    worker.claim(None).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "no run could be claimed; trying again");
        None
    })
}
