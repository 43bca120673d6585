//! What was heard of one folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(test)]
use futures::FutureExt;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind};
use tokio::sync::Notify;

use crate::connector::folder::Watched;

/// How long nothing must happen until a change counts as over.
const QUIET: Duration = Duration::from_secs(1);
/// How long a change that does not end is waited for.
const LONGEST: Duration = Duration::from_secs(10);

/// The changes in a folder and all below it.
pub(super) struct Heard {
    watched: Watched,
    /// The folder's path without links, as the system tells of it.
    path: PathBuf,
    change: Notify,
    /// Set once not all there is can be heard.
    lost: AtomicBool,
}

impl Heard {
    /// Nothing yet.
    pub(super) fn of(watched: Watched, path: PathBuf) -> Self {
        Self { watched, path, change: Notify::new(), lost: false.into() }
    }

    /// Waits until something changed and came to rest. `false`: it has to be listened anew.
    pub(super) async fn next(&self) -> bool {
        self.change.notified().await;
        let longest = tokio::time::sleep(LONGEST);
        tokio::pin!(longest);
        loop {
            tokio::select! {
                () = self.change.notified() => {}
                () = tokio::time::sleep(QUIET) => break,
                () = &mut longest => break,
            }
        }
        !self.lost.load(Ordering::Acquire)
    }

    /// Takes an event of the system's, or that some could not be had.
    pub(super) fn hear(&self, event: &notify::Result<Event>) {
        match event {
            Ok(event) if self.loses(event) => self.lose(),
            Ok(event) if self.is_change(event) => self.change.notify_one(),
            Ok(_) => {}
            // A folder that was added could not be watched, for one.
            Err(_) => self.lose(),
        }
    }

    /// Whether a change waits to be told.
    #[cfg(test)]
    pub(super) fn has_changed(&self) -> bool {
        let waiting = std::pin::pin!(self.change.notified());
        waiting.now_or_never().is_some()
    }

    /// From now on not all can be heard.
    pub(super) fn lose(&self) {
        self.lost.store(true, Ordering::Release);
        self.change.notify_one();
    }

    /// Whether a listing may be another one after this. Reading is no change: a sync reads.
    fn is_change(&self, event: &Event) -> bool {
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        let reads = matches!(event.kind, EventKind::Access(_)) && event.kind != written;
        event.need_rescan() || (!reads && event.paths.iter().any(|path| self.shows(path)))
    }

    /// Whether a listing shows what is at this path of the system's.
    fn shows(&self, path: &Path) -> bool {
        path.strip_prefix(&self.path).is_ok_and(|inside| self.watched.shows(inside))
    }

    /// Whether the folder itself went: what stands at its path from now on is not what is listened to.
    fn loses(&self, event: &Event) -> bool {
        let went = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        went && event.paths.contains(&self.path)
    }
}
