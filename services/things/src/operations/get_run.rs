//! Where one run stands that the caller's installation started.

use std::sync::Arc;

use stoa_identity::Caller;
use stoa_runs::{RunId, RunRow};

use super::rights::SeeRuns;
use super::targets::OwnRun;
use super::{Things, ThingsError, may};

/// The run as it stands.
///
/// # Errors
/// [`ThingsError::NotFound`] for a run that the caller's installation did not start, [`ThingsError::Denied`] without
/// the right.
pub async fn get_run(things: &Things, caller: &Arc<Caller>, id: RunId) -> Result<RunRow, ThingsError> {
    let may = may::on::<OwnRun, SeeRuns>(things, caller, id, ThingsError::NO_RUN).await?;
    Ok(may.target().0.clone())
}
