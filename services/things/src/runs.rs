//! The background face: syncing a resource, analyzing a thing again, and forgetting what is long gone.

pub mod analyze;
pub mod prune;
pub mod rebuild;
pub mod sync;

use std::sync::Arc;

use stoa_runs::Work;

pub use analyze::AnalyzeWork;
pub use prune::prune;
pub use rebuild::{DERIVED, rebuild};
pub use sync::SyncWork;

use crate::operations::Things;

/// Every kind of work of this service.
#[must_use]
pub fn works(things: &Things) -> Vec<Arc<dyn Work>> {
    let (db, ambient) = (things.db(), things.ambient());
    let (connectors, documents) = (things.connectors(), things.documents());
    vec![
        Arc::new(SyncWork::new(db.clone(), ambient.clone(), connectors.clone(), documents.clone())),
        Arc::new(AnalyzeWork::new(db.clone(), ambient.clone(), connectors.clone(), documents.clone())),
    ]
}
