//! A run in the hands of its work.

use serde_json::Value;
use stoa_base::WorkspaceId;
use stoa_store::{StoreError, Tx};
use tokio::sync::watch;
use uuid::Uuid;

use crate::claim::Claimed;
use crate::hold::Hold;
use crate::{Outcome, Progress, RunId};

/// What the work is told from outside. A later one overrides an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Signal {
    /// Go on.
    Go,
    /// The node stops.
    NodeStops,
    /// Somebody asked the run to stop.
    Cancel,
    /// The run is another node's.
    Lost,
}

impl Signal {
    const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Go => None,
            Self::Cancel => Some(Outcome::Cancelled),
            Self::NodeStops | Self::Lost => Some(Outcome::HandedBack),
        }
    }
}

/// A run in the hands of its work.
#[derive(Debug)]
pub struct Running {
    claimed: Claimed,
    hold: Hold,
    progress: watch::Sender<Progress>,
    signal: watch::Receiver<Signal>,
}

impl Running {
    pub(crate) const fn new(
        claimed: Claimed,
        hold: Hold,
        progress: watch::Sender<Progress>,
        signal: watch::Receiver<Signal>,
    ) -> Self {
        Self { claimed, hold, progress, signal }
    }

    /// The service and kind, as they were enqueued.
    pub(crate) fn kind(&self) -> (&str, &str) {
        (&self.claimed.service, &self.claimed.kind)
    }

    pub(crate) fn signal(&self) -> watch::Receiver<Signal> {
        self.signal.clone()
    }

    /// The run's id.
    #[must_use]
    pub const fn id(&self) -> RunId {
        self.hold.run
    }

    /// The tenant it belongs to.
    #[must_use]
    pub const fn workspace(&self) -> WorkspaceId {
        WorkspaceId::from_uuid(self.claimed.workspace_id)
    }

    /// What it works on, in the service's own terms.
    #[must_use]
    pub const fn target(&self) -> Option<Uuid> {
        self.claimed.target_id
    }

    /// What the work needs to know, as it was enqueued.
    #[must_use]
    pub const fn payload(&self) -> &Value {
        &self.claimed.payload.0
    }

    /// Where an earlier attempt left off; `None` at the first, or if none was saved.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&Value> {
        self.claimed.checkpoint.as_ref().map(|checkpoint| &checkpoint.0)
    }

    /// Shows how far the run is. Cheap and never waits, so that a work may call it for each object, also
    /// inside a transaction; it is written by the run's heartbeat, twice a second at most.
    pub fn progress(&self, progress: Progress) {
        self.progress.send_replace(progress);
    }

    /// What the work shall end with now, if it shall: cancelled, or handed back because the node stops or
    /// another one has the run. Cheap: to be asked every few objects (24 at most).
    #[must_use]
    pub fn should_stop(&self) -> Option<Outcome> {
        self.signal.borrow().outcome()
    }

    /// Waits until [`Self::should_stop`] says something, for a work that waits for something else besides.
    pub async fn stop_asked(&self) -> Outcome {
        let mut signal = self.signal.clone();
        // The sender only goes when nobody renews the lease any more: then the run is as good as lost.
        let told = signal.wait_for(|signal| *signal != Signal::Go).await.map_or(Signal::Lost, |told| *told);
        told.outcome().unwrap_or(Outcome::HandedBack)
    }

    /// Whether the run is still this node's; if so, it stays so until `tx` ends, and what `tx` writes is never
    /// written by two nodes. `false`: drop `tx` and end with [`Outcome::HandedBack`].
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database could not be asked.
    pub async fn fence(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        self.hold.fence(tx).await
    }

    /// Saves where the next attempt goes on, together with whatever else `tx` writes. Fences like
    /// [`Self::fence`]: `false` means that another node has the run, and nothing was saved.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database refused.
    pub async fn save_checkpoint(&self, tx: &mut Tx, checkpoint: Value) -> Result<bool, StoreError> {
        self.hold.save_checkpoint(tx, checkpoint).await
    }
}
