//! What a resource can do, and the words to command it with.

use std::sync::Arc;

use serde::Serialize;
use stoa_identity::Caller;

use super::rights::SeeResources;
use super::{Things, ThingsError, may};
use crate::connector::{Capability, CommandSpec};
use crate::model::ResourceId;
use crate::store::resource::ResourceRow;

/// What a resource can do.
#[derive(Clone, Debug, Serialize)]
pub struct DescribedResource {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The connector that reaches it.
    pub connector: String,
    /// What the connector can do at all.
    pub capabilities: Vec<Capability>,
    /// The commands it knows.
    pub commands: Vec<CommandSpec>,
}

/// Describes a resource.
///
/// # Errors
/// [`ThingsError::NotFound`] for an id that is unknown, another tenant's or out of reach;
/// [`ThingsError::Resource`] where its configuration can't be used.
pub async fn describe_resource(
    things: &Things,
    caller: &Arc<Caller>,
    id: ResourceId,
) -> Result<DescribedResource, ThingsError> {
    let may = may::on::<ResourceRow, SeeResources>(things, caller, id, ThingsError::NO_RESOURCE).await?;
    let row = may.target();
    let kind = things.connectors().kind(&row.connector).ok_or_else(|| {
        ThingsError::Resource(format!("this version has no connector named {}", row.connector))
    })?;
    Ok(DescribedResource {
        id: row.id,
        name: row.name.clone(),
        connector: row.connector.clone(),
        capabilities: kind.capabilities().to_vec(),
        commands: kind.commands().to_vec(),
    })
}
