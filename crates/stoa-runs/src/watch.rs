//! Following a run until it ends.

use std::time::Duration;

use futures::Stream;
use futures::stream::unfold;
use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError};
use tokio::sync::watch::Receiver;

use crate::{RUNS, RunId, RunRow, get};

/// How often progress is looked at: as often as it is written.
const LOOK: Duration = Duration::from_millis(500);

/// The run now, then each time it has changed, up to and with its end. Ends also when the run is unknown, or
/// after an error.
pub fn watch(
    db: &Database,
    workspace: WorkspaceId,
    run: RunId,
) -> impl Stream<Item = Result<RunRow, StoreError>> + Send + use<> {
    let bell = db.wakeups().subscribe(RUNS);
    let watching = Watching { db: db.clone(), workspace, run, bell, last: None };
    unfold(Some(watching), |watching| async { watching?.next().await })
}

struct Watching {
    db: Database,
    workspace: WorkspaceId,
    run: RunId,
    bell: Receiver<u64>,
    last: Option<RunRow>,
}

impl Watching {
    /// The next change, and what goes on watching, if anything does.
    async fn next(mut self) -> Option<(Result<RunRow, StoreError>, Option<Self>)> {
        loop {
            match get(&self.db, self.workspace, self.run).await {
                Err(error) => return Some((Err(error), None)),
                Ok(None) => return None,
                Ok(Some(row)) if row.status.is_over() => return Some((Ok(row), None)),
                Ok(row) if row != self.last => {
                    self.last.clone_from(&row);
                    return row.map(|row| (Ok(row), Some(self)));
                }
                Ok(_) => self.wait().await,
            }
        }
    }

    async fn wait(&mut self) {
        tokio::select! {
            Ok(()) = self.bell.changed() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}
