//! Doing one run in this process: the command line's `--wait`.

use std::sync::Arc;

use stoa_base::{Ambient, WorkspaceId};
use stoa_store::{Database, StoreError};
use tokio_util::sync::CancellationToken;

use crate::claim::POLL;
use crate::worker::Worker;
use crate::{RUNS, RunId, RunRow, Work, get};

/// The node in whose name a command works: no server's, as no server may take its runs for its own.
const COMMAND: &str = "a command";

/// Does this run here, unless a worker elsewhere has it: then waits for that one, and takes over should it
/// die. Answers the run as it ended, or as it is when `stop` is cancelled (it was handed back then).
/// `None`: the workspace has no such run. [`crate::watch`] shows progress meanwhile.
///
/// # Errors
/// [`StoreError`] when the database can't be used.
pub async fn work_one(
    db: &Database,
    ambient: &Ambient,
    works: Vec<Arc<dyn Work>>,
    workspace: WorkspaceId,
    run: RunId,
    stop: CancellationToken,
) -> Result<Option<RunRow>, StoreError> {
    let worker = Worker::new(db.clone(), ambient.clone(), COMMAND, works, stop.clone());
    let mut bell = db.wakeups().subscribe(RUNS);
    loop {
        match get(db, workspace, run).await? {
            Some(row) if !row.status.is_over() && !stop.is_cancelled() => {}
            ended => return Ok(ended),
        }
        if let Some(claimed) = worker.claim(Some(run)).await? {
            worker.perform(claimed).await;
            continue;
        }
        tokio::select! {
            Ok(()) = bell.changed() => {}
            () = tokio::time::sleep(POLL) => {}
            () = stop.cancelled() => {}
        }
    }
}
