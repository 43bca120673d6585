//! Whether a resource still answers, and whether its credentials are accepted. An unreachable one is an
//! answer, not an error.

use std::sync::Arc;

use stoa_identity::Caller;

use super::rights::SeeResources;
use super::{Things, ThingsError, may};
use crate::connector::Checked;
use crate::model::ResourceId;
use crate::store::resource::ResourceRow;

/// Checks a resource.
///
/// # Errors
/// [`ThingsError::NotFound`] for an id that is unknown, another tenant's or out of reach.
pub async fn check_resource(
    things: &Things,
    caller: &Arc<Caller>,
    id: ResourceId,
) -> Result<Checked, ThingsError> {
    let may = may::on::<ResourceRow, SeeResources>(things, caller, id, ThingsError::NO_RESOURCE).await?;
    Ok(match things.connectors().open(may.target()) {
        Ok(connector) => connector.check().await,
        Err(problem) => Checked::unreachable(problem.to_string()),
    })
}
