//! Why an operation did not do what was asked.

use stoa_identity::Refusal;
use stoa_runs::{BudgetState, EnqueueError};
use stoa_store::StoreError;

use crate::model::SelectorError;

/// Named for what happened; each front door says it in its own words.
#[derive(Debug, thiserror::Error)]
pub enum ThingsError {
    /// There is nothing with this id, or nothing that the caller may know of.
    #[error("no {what} with this id; {hint}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// Where valid ids come from.
        hint: &'static str,
    },
    /// The token has the scope, the person no longer the right.
    #[error("your role in this workspace does not allow this ({right}); ask an owner or admin")]
    Denied {
        /// The right that is missing.
        right: &'static str,
    },
    /// An argument has the right shape and no meaning.
    #[error("{0}")]
    Argument(String),
    /// The installation started as many runs this hour as it may.
    #[error("run budget spent: {} of {} runs an hour started; it is full again at {}", .0.used, .0.limit, .0.resets_at)]
    OverBudget(BudgetState),
    /// A resource could not do it.
    #[error("{0}")]
    Resource(String),
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ThingsError {
    /// No thing with this id.
    pub(crate) const NO_THING: Self = Self::NotFound { what: "thing", hint: "search_things gives ids" };
    /// No resource with this id.
    pub(crate) const NO_RESOURCE: Self =
        Self::NotFound { what: "resource", hint: "list_resources gives ids" };
    /// No run with this id.
    pub(crate) const NO_RUN: Self =
        Self::NotFound { what: "run", hint: "list_runs gives the ids of the runs you started" };

    /// The refusal to give an authorization object; `missing` is what not finding its target means.
    pub(crate) fn refused(refusal: Refusal, missing: Self) -> Self {
        match refusal {
            Refusal::NotFound => missing,
            Refusal::Denied { right } => Self::Denied { right },
            Refusal::Store(error) => Self::Store(error),
        }
    }
}

impl From<SelectorError> for ThingsError {
    fn from(error: SelectorError) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<EnqueueError> for ThingsError {
    fn from(error: EnqueueError) -> Self {
        match error {
            EnqueueError::OverBudget(state) => Self::OverBudget(state),
            EnqueueError::Store(error) => Self::Store(error),
        }
    }
}
