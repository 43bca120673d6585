//! The one ear of this process: every folder that is watched is heard by the same watcher of the system, which
//! allows a user few watchers (128 as a rule) but many watched folders.
//!
//! The watcher's own thread tells of events, and answers whoever begins or ends a watch: so it may never wait for
//! them. It takes the list of listeners only; who begins or ends a watch holds that for a moment at a time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::runtime::Handle;

use super::heard::Heard;
use crate::connector::folder::Watched;

/// Hears of changes in folders and all below them. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Ear(Arc<Shared>);

#[derive(Default)]
struct Shared {
    listeners: Arc<Mutex<Listeners>>,
    /// Made with the first folder. Held while watches begin and end, which takes long where there are many folders.
    watcher: Mutex<Option<RecommendedWatcher>>,
}

/// Who listens to which folder, by its path without links. Several may, and one folder may lie in another.
#[derive(Default)]
struct Listeners(HashMap<PathBuf, Vec<Arc<Heard>>>);

/// Somebody who listens to a folder. Dropped, they hear no more.
pub(super) struct Listener {
    ear: Ear,
    /// The folder's path without links, as the system tells of it.
    path: PathBuf,
    heard: Arc<Heard>,
}

impl Ear {
    /// Begins to listen. Slow where there are many folders.
    ///
    /// # Errors
    /// [`notify::Error`] where the folder is missing or the system allows no more watches.
    pub(super) fn listen(&self, watched: Watched) -> notify::Result<Listener> {
        let path = watched.path().canonicalize()?;
        let heard = Arc::new(Heard::of(watched, path.clone()));
        // From here on it ends as it is dropped, where beginning fails too.
        let listener = Listener { ear: self.clone(), path, heard };
        let mut system = lock(&self.0.watcher);
        let is_heard = lock(&self.0.listeners).add(&listener);
        if !is_heard {
            self.begin(&mut system, &listener.path)?;
        }
        drop(system);
        Ok(listener)
    }

    fn begin(&self, watcher: &mut Option<RecommendedWatcher>, path: &Path) -> notify::Result<()> {
        let watcher = match watcher {
            Some(watcher) => watcher,
            none => {
                let listeners = self.0.listeners.clone();
                let hear = move |event| tell(&listeners, &event);
                // What a link leads to is no part of the folder, for a sync neither.
                let config = Config::default().with_follow_symlinks(false);
                none.insert(RecommendedWatcher::new(hear, config)?)
            }
        };
        watcher.watch(path, RecursiveMode::Recursive)
    }

    /// Ends a watch that nobody needs any more. What lies in that folder and is listened to by others is watched
    /// anew, since it goes with it.
    fn end(&self, path: &Path, heard: &Arc<Heard>) {
        let mut watcher = lock(&self.0.watcher);
        let Some(inside) = lock(&self.0.listeners).remove(path, heard) else { return };
        if let Some(Err(problem)) = watcher.as_mut().map(|watcher| watcher.unwatch(path)) {
            tracing::debug!(%problem, "a folder was not watched, or is gone");
        }
        for (path, others) in inside {
            if let Err(problem) = self.begin(&mut watcher, &path) {
                tracing::debug!(%problem, "a folder in another can't be watched any more");
                for heard in others {
                    heard.lose();
                }
            }
        }
    }
}

fn tell(listeners: &Mutex<Listeners>, event: &notify::Result<Event>) {
    let concerned = lock(listeners).concerned(event);
    for heard in concerned {
        heard.hear(event);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked under the lock left what it guards as it was.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listeners {
    /// Adds a listener; answers whether their folder is heard already.
    fn add(&mut self, listener: &Listener) -> bool {
        let within = self.is_within_another(&listener.path);
        let all = self.0.entry(listener.path.clone()).or_default();
        all.push(listener.heard.clone());
        within || all.len() > 1
    }

    /// Takes a listener away. Where that ends the watch of the folder: the outermost folders inside that others
    /// listen to.
    fn remove(&mut self, path: &Path, heard: &Arc<Heard>) -> Option<Vec<(PathBuf, Vec<Arc<Heard>>)>> {
        let all = self.0.get_mut(path)?;
        all.retain(|other| !Arc::ptr_eq(other, heard));
        if !all.is_empty() {
            return None;
        }
        self.0.remove(path);
        if self.is_within_another(path) {
            return None;
        }
        let inside = self.0.iter().filter(|(other, _)| other.starts_with(path));
        let outermost = inside.filter(|(other, _)| !self.is_within_another(other));
        Some(outermost.map(|(other, all)| (other.clone(), all.clone())).collect())
    }

    fn is_within_another(&self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|above| self.0.contains_key(above))
    }

    /// Whoever listens to a folder in which any of the event's paths lies; all, where it does not say where.
    fn concerned(&self, event: &notify::Result<Event>) -> Vec<Arc<Heard>> {
        let paths = match event {
            Ok(event) => &event.paths,
            Err(error) => &error.paths,
        };
        if paths.is_empty() {
            return self.0.values().flatten().cloned().collect();
        }
        let folders = paths.iter().flat_map(|path| path.ancestors());
        folders.filter_map(|folder| self.0.get(folder)).flatten().cloned().collect()
    }
}

impl Listener {
    /// What was heard.
    pub(super) fn heard(&self) -> &Heard {
        &self.heard
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let (ear, path, heard) = (self.ear.clone(), std::mem::take(&mut self.path), self.heard.clone());
        let end = move || ear.end(&path, &heard);
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(end)),
            Err(_) => end(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn changed(listener: &Listener) -> bool {
        listener.heard().next().await
    }

    fn listen(ear: &Ear, path: &Path) -> Listener {
        ear.listen(Watched::whole(path)).unwrap()
    }

    #[tokio::test]
    async fn one_watcher_hears_many_folders_and_each_listener_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let ear = Ear::default();
        let paths: Vec<PathBuf> = (0..300).map(|number| folder.path().join(number.to_string())).collect();
        for path in &paths {
            std::fs::create_dir(path).unwrap();
        }
        let listeners: Vec<Listener> = paths.iter().map(|path| listen(&ear, path)).collect();
        for number in [0, 299] {
            std::fs::write(paths[number].join("file"), "new").unwrap();
            assert!(changed(&listeners[number]).await);
        }
        assert!(!listeners[1].heard().has_changed());
    }

    #[tokio::test]
    async fn folders_in_each_other_and_the_same_twice_are_heard_until_their_last_listener_goes() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let ear = Ear::default();
        let (within, outer, same) = (listen(&ear, &inner), listen(&ear, folder.path()), listen(&ear, &inner));
        std::fs::write(inner.join("one"), "1").unwrap();
        assert!(changed(&within).await && changed(&outer).await && changed(&same).await);
        ear.end(&folder.path().canonicalize().unwrap(), &outer.heard);
        std::fs::write(inner.join("two"), "2").unwrap();
        assert!(changed(&within).await && changed(&same).await);
        ear.end(&within.path, &within.heard);
        std::fs::write(inner.join("three"), "3").unwrap();
        assert!(changed(&same).await);
        assert!(!within.heard().has_changed());
    }
}
