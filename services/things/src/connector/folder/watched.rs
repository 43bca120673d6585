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

    /// A folder of which nothing is left out.
    #[cfg(test)]
    pub(crate) fn whole(path: &Path) -> Self {
        Self::new(path.to_owned(), Arc::new(Exclusions::new("", None)))
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a listing would show what is at this path inside the folder.
    #[must_use]
    pub fn shows(&self, inside: &Path) -> bool {
        !self.exclusions.leaves_out_path(inside)
    }
}
