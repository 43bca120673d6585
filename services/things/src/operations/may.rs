//! Obtaining authorization objects, with a refusal said in this service's words.

use std::sync::Arc;

use stoa_identity::{Authorized, Caller, Right, Target, WorkspaceTarget, authorize, authorize_workspace};

use super::{Things, ThingsError};

/// The right `R` on the target with this id; `missing` is what not finding it means.
pub(super) async fn on<T: Target, R: Right>(
    things: &Things,
    caller: &Arc<Caller>,
    id: T::Id,
    missing: ThingsError,
) -> Result<Authorized<T, R>, ThingsError> {
    authorize(things.db(), caller, &id).await.map_err(|refusal| ThingsError::refused(refusal, missing))
}

/// The right `R` in the caller's workspace.
pub(super) fn in_workspace<R: Right>(
    caller: &Arc<Caller>,
) -> Result<Authorized<WorkspaceTarget, R>, ThingsError> {
    // There is always a workspace, so nothing can be missing.
    authorize_workspace(caller).map_err(|refusal| ThingsError::refused(refusal, ThingsError::NO_RESOURCE))
}
