//! The background face: syncing a resource, analyzing a thing again, and forgetting what is long gone.

pub mod analyze;
pub mod prune;
pub mod rebuild;
pub mod sync;

use std::sync::Arc;

use stoa_runs::Work;

pub use analyze::AnalyzeWork;
pub use prune::prune;
pub use rebuild::rebuild;
pub use sync::SyncWork;

use crate::operations::Things;

/// Every kind of work of this service.
#[must_use]
pub fn works(things: &Things) -> Vec<Arc<dyn Work>> {
    vec![Arc::new(SyncWork(things.clone())), Arc::new(AnalyzeWork(things.clone()))]
}
