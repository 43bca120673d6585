//! What is left of an agent's runs, which other crates count.

use futures::future::BoxFuture;
use stoa_base::InstallationId;
use stoa_store::StoreError;

/// Runs of the present hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunBudget {
    /// How many were started.
    pub used: u32,
    /// How many may be.
    pub limit: u32,
}

/// Who counts runs.
pub trait RunBudgets: Send + Sync {
    /// What an installation used of its budget; a grant that says nothing has what is configured.
    fn of(
        &self,
        installation: InstallationId,
        granted: Option<u32>,
    ) -> BoxFuture<'_, Result<RunBudget, StoreError>>;
}
