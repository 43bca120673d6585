//! Hearing of changes in a folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

use crate::connector::folder::Watched;

/// How long nothing must happen until a change counts as over.
const QUIET: Duration = Duration::from_secs(1);
/// How long a change that does not end is waited for.
const LONGEST: Duration = Duration::from_secs(10);

/// The changes in a folder and all below it, from now on.
pub(super) struct Changes {
    heard: Arc<Heard>,
    // Dropped, it hears no more.
    _ear: RecommendedWatcher,
}

#[derive(Default)]
struct Heard {
    change: Notify,
    /// Set once this watch no longer hears all there is.
    lost: AtomicBool,
}

impl Changes {
    /// Begins to listen. Slow where there are many folders.
    ///
    /// # Errors
    /// [`notify::Error`] where the folder is missing or the system allows no more watches.
    pub(super) fn of(watched: Watched) -> notify::Result<Self> {
        let heard = Arc::new(Heard::default());
        let path = watched.path().to_owned();
        let hearing = heard.clone();
        let mut ear = notify::recommended_watcher(move |event| hearing.hear(&watched, event))?;
        ear.watch(&path, RecursiveMode::Recursive)?;
        Ok(Self { heard, _ear: ear })
    }

    /// Waits until something changed and came to rest. `false`: it has to be listened anew.
    pub(super) async fn next(&self) -> bool {
        self.heard.change.notified().await;
        let longest = tokio::time::sleep(LONGEST);
        tokio::pin!(longest);
        loop {
            tokio::select! {
                () = self.heard.change.notified() => {}
                () = tokio::time::sleep(QUIET) => break,
                () = &mut longest => break,
            }
        }
        !self.heard.lost.load(Ordering::Acquire)
    }
}

impl Heard {
    fn hear(&self, watched: &Watched, event: notify::Result<Event>) {
        let (change, lost) = match event {
            Ok(event) => (is_change(watched, &event), loses(watched, &event)),
            // A folder that was added could not be watched, for one.
            Err(_) => (true, true),
        };
        if lost {
            self.lost.store(true, Ordering::Release);
        }
        if change || lost {
            self.change.notify_one();
        }
    }
}

/// Whether a listing may be another one after this. Reading is no change: a sync reads.
fn is_change(watched: &Watched, event: &Event) -> bool {
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    let reads = matches!(event.kind, EventKind::Access(_)) && event.kind != written;
    event.need_rescan() || (!reads && event.paths.iter().any(|path| watched.shows(path)))
}

/// Whether the folder itself went: what stands at its path from now on is not what is listened to.
fn loses(watched: &Watched, event: &Event) -> bool {
    let went = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
    went && event.paths.iter().any(|path| path == watched.path())
}
