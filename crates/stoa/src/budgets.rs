//! What is left of an agent's runs, for the pages.

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_base::{Ambient, InstallationId};
use stoa_store::{Database, StoreError};
use stoa_web::{RunBudget, RunBudgets};

/// The budgets that `stoa-runs` keeps.
pub struct Budgets {
    /// Where they are kept.
    pub db: Database,
    /// What hour it is.
    pub ambient: Ambient,
    /// What a grant has that says nothing (`things.run_budget`).
    pub configured: u32,
}

impl RunBudgets for Budgets {
    fn of(
        &self,
        installation: InstallationId,
        granted: Option<u32>,
    ) -> BoxFuture<'_, Result<RunBudget, StoreError>> {
        let limit = granted.unwrap_or(self.configured);
        async move {
            let state = stoa_runs::budget(&self.db, &self.ambient, installation, limit).await?;
            Ok(RunBudget { used: state.used, limit: state.limit })
        }
        .boxed()
    }
}
