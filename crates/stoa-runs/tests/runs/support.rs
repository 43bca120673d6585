//! What these tests share: runs to enqueue, works made of closures, waiting for states.

use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;
use serde_json::json;
use stoa_base::{Ambient, InstallationId, WorkspaceId};
use stoa_runs::{
    EnqueueError, Enqueued, NewRun, Outcome, RunFilter, RunId, RunRow, RunStatus, Running, Work, WorkError,
    Workers, enqueue, watch,
};
use stoa_store::Database;
use uuid::Uuid;

pub const WORKSPACE: WorkspaceId = WorkspaceId::from_uuid(Uuid::from_u128(1));
pub const INSTALLATION: InstallationId = InstallationId::from_uuid(Uuid::from_u128(2));

/// Any run, started by [`INSTALLATION`].
pub fn new_run() -> NewRun<'static> {
    NewRun {
        workspace: WORKSPACE,
        service: "things",
        kind: "sync",
        target: None,
        live_key: None,
        payload: json!({}),
        starter: Some(INSTALLATION),
        account: None,
    }
}

pub fn keyed(key: &str) -> NewRun<'static> {
    NewRun { live_key: Some(key.to_owned()), ..new_run() }
}

/// Enqueues `run` in a transaction of its own.
pub async fn ask(
    db: &Database,
    ambient: &Ambient,
    run: &NewRun<'_>,
    budget: Option<u32>,
) -> Result<Enqueued, EnqueueError> {
    let mut tx = db.begin().await.unwrap();
    let enqueued = enqueue(&mut tx, ambient, run, budget).await;
    tx.commit().await.unwrap();
    enqueued
}

/// Enqueues any run.
pub async fn any_run(db: &Database, ambient: &Ambient) -> RunId {
    ask(db, ambient, &new_run(), None).await.unwrap().id()
}

/// Every run of [`WORKSPACE`].
pub fn all() -> RunFilter<'static> {
    RunFilter {
        workspace: WORKSPACE,
        starter: None,
        account: None,
        service: None,
        kind: None,
        status: None,
        limit: 1000,
        after: None,
    }
}

/// The run once it is as wanted.
pub async fn once(db: &Database, run: RunId, wanted: impl Fn(&RunRow) -> bool) -> RunRow {
    let mut rows = Box::pin(watch(db, WORKSPACE, run));
    while let Some(row) = rows.next().await {
        let row = row.unwrap();
        if wanted(&row) {
            return row;
        }
    }
    panic!("the run ended otherwise");
}

/// The run once it is over.
pub async fn ended(db: &Database, run: RunId) -> RunRow {
    once(db, run, |row| row.status.is_over()).await
}

/// The run once a worker has it.
pub async fn begun(db: &Database, run: RunId) -> RunRow {
    once(db, run, |row| row.status == RunStatus::Running).await
}

/// The outcome of a work that is made of a closure.
pub type Doing<'a> = BoxFuture<'a, Result<Outcome, WorkError>>;

struct Scripted<F>(F);

impl<F> Work for Scripted<F>
where
    F: for<'a> Fn(&'a Running) -> Doing<'a> + Send + Sync,
{
    fn service(&self) -> &'static str {
        "things"
    }

    fn kind(&self) -> &'static str {
        "sync"
    }

    fn perform<'a>(&'a self, run: &'a Running) -> Doing<'a> {
        self.0(run)
    }
}

/// The work `things/sync` that does this.
pub fn work<F>(perform: F) -> Vec<Arc<dyn Work>>
where
    F: for<'a> Fn(&'a Running) -> Doing<'a> + Send + Sync + 'static,
{
    vec![Arc::new(Scripted(perform))]
}

/// A work that is done at once.
pub fn quick() -> Vec<Arc<dyn Work>> {
    work(|_| Box::pin(async { Ok(Outcome::Done) }))
}

/// A work that goes on until it is asked to stop, and does.
pub fn patient() -> Vec<Arc<dyn Work>> {
    work(|run| Box::pin(async move { Ok(run.stop_asked().await) }))
}

/// A work that never ends and heeds nothing.
pub fn stubborn() -> Vec<Arc<dyn Work>> {
    work(|_| Box::pin(std::future::pending()))
}

/// Workers of the node `name`, two runs at a time.
pub fn node(db: &Database, ambient: &Ambient, name: &str, works: Vec<Arc<dyn Work>>) -> Workers {
    node_of(db, ambient, name, works, 2)
}

/// Workers of the node `name`, `size` runs at a time.
pub fn node_of(
    db: &Database,
    ambient: &Ambient,
    name: &str,
    works: Vec<Arc<dyn Work>>,
    size: usize,
) -> Workers {
    Workers::start(db.clone(), ambient.clone(), name.to_owned(), works, size)
}
