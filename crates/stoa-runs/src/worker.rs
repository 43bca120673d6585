//! One worker: claims a run, does it under a kept lease, writes how it ended.

use std::sync::Arc;

use stoa_base::Ambient;
use stoa_base::incident::{IncidentId, panic_message};
use stoa_store::{Database, StoreError};
use tokio::sync::watch;
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::claim::{Claimed, MAX_ATTEMPTS, claim, owner};
use crate::hold::{End, Hold};
use crate::keeper::Keeper;
use crate::running::Signal;
use crate::{Outcome, RunId, Running, Work, WorkError};

/// What all the runs of one process are done with.
pub(crate) struct Worker {
    pub(crate) db: Database,
    pub(crate) ambient: Ambient,
    pub(crate) owner: Arc<str>,
    pub(crate) stop: CancellationToken,
    works: Vec<Arc<dyn Work>>,
    /// `SERVICE/KIND` of each work.
    kinds: Vec<String>,
}

impl Worker {
    /// A worker of a new incarnation of `node`.
    pub(crate) fn new(
        db: Database,
        ambient: Ambient,
        node: &str,
        works: Vec<Arc<dyn Work>>,
        stop: CancellationToken,
    ) -> Self {
        let owner = owner(ambient.bytes(), node).into();
        let kinds = works.iter().map(|work| format!("{}/{}", work.service(), work.kind())).collect();
        Self { db, ambient, owner, stop, works, kinds }
    }

    /// Claims the oldest run there is, or `only` that one.
    pub(crate) async fn claim(&self, only: Option<RunId>) -> Result<Option<Claimed>, StoreError> {
        claim(&self.db, self.ambient.now(), &self.owner, &self.kinds, only).await
    }

    /// Does a claimed run and writes how it ended. Dropped, it ends where it is, as if the process had been
    /// killed: the lease lapses.
    pub(crate) async fn perform(&self, claimed: Claimed) {
        let hold = Hold { run: RunId::from_uuid(claimed.id), owner: self.owner.clone() };
        let (progress, shown) = watch::channel(claimed.progress());
        let (told, signal) = watch::channel(Signal::Go);
        let keeper = Keeper {
            db: self.db.clone(),
            ambient: self.ambient.clone(),
            hold: hold.clone(),
            progress: shown.clone(),
            signal: told,
            stop: self.stop.clone(),
        };
        let _kept = AbortOnDropHandle::new(tokio::spawn(keeper.keep()));
        let end = match end_of_unbegun(&claimed) {
            Some(end) => end,
            None => self.work(Running::new(claimed, hold.clone(), progress, signal)).await,
        };
        let last = *shown.borrow();
        match hold.end(&self.db, self.ambient.now(), last, &end).await {
            Ok(true) => tracing::debug!(run = %hold.run, ?end, "run ended here"),
            Ok(false) => tracing::info!(run = %hold.run, "another node has the run"),
            Err(error) => tracing::error!(run = %hold.run, %error, "the end of a run could not be written"),
        }
    }

    /// Does the work in a task of its own, so that its panic is an answer.
    async fn work(&self, running: Running) -> End {
        let run = running.id();
        let Some(work) = self.work_of(&running) else {
            return End::HandedBack { asked: false };
        };
        let signal = running.signal();
        let task = AbortOnDropHandle::new(tokio::spawn(async move { work.perform(&running).await }));
        match task.await {
            Ok(Ok(Outcome::Done)) => End::Done,
            Ok(Ok(Outcome::Cancelled)) => End::Cancelled,
            Ok(Ok(Outcome::HandedBack)) => End::HandedBack { asked: *signal.borrow() != Signal::Go },
            Ok(Err(WorkError::Failed(reason))) => End::Failed(reason),
            Ok(Err(WorkError::Internal(error))) => self.incident(run, &error.to_string()),
            Err(died) => self.incident(run, &panic_text(died)),
        }
    }

    fn work_of(&self, running: &Running) -> Option<Arc<dyn Work>> {
        let (service, kind) = running.kind();
        self.works.iter().find(|work| work.service() == service && work.kind() == kind).cloned()
    }

    /// Logs what happened under a new incident id, and says that id only.
    fn incident(&self, run: RunId, error: &str) -> End {
        let incident = IncidentId::new(&self.ambient);
        tracing::error!(%run, %incident, error, "run failed: incident {incident}");
        End::Failed(format!("internal error; the server's log tells more under incident {incident}"))
    }
}

/// How a run ends that is not to be begun again.
fn end_of_unbegun(claimed: &Claimed) -> Option<End> {
    if claimed.cancel_requested {
        return Some(End::Cancelled);
    }
    (claimed.attempts > MAX_ATTEMPTS).then(|| {
        End::Failed(format!("given up: {MAX_ATTEMPTS} attempts were cut short without getting any further"))
    })
}

fn panic_text(died: JoinError) -> String {
    match died.try_into_panic() {
        Ok(payload) => format!("panic: {}", panic_message(&*payload)),
        Err(_cancelled) => "the work's task was ended".to_owned(),
    }
}
