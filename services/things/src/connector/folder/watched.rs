//! What of a folder is worth a look when it changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exclude::Exclusions;

/// A folder of this machine that can be watched.
#[derive(Clone, Debug)]
pub struct Watched {
    path: PathBuf,
    exclusions: Arc<Exclusions>,
}

impl Watched {
    pub(super) const fn new(path: PathBuf, exclusions: Arc<Exclusions>) -> Self {
        Self { path, exclusions }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a listing would show what is at this path of the machine.
    #[must_use]
    pub fn shows(&self, path: &Path) -> bool {
        path.strip_prefix(&self.path).is_ok_and(|inside| !self.exclusions.leaves_out_path(inside))
    }
}
