//! Syncing folders: what the catalog says afterwards.

mod analyze;
mod changes;
mod first;
mod large;
mod resume;
mod snapshot;
mod watch;
