//! Connecting a place. Done on the command line (and later in the console), never by a tool: credentials must
//! not travel through a tool call.

use std::collections::BTreeMap;

use stoa_base::{Id, WorkspaceId};
use stoa_store::audit::Act;

use super::{Things, ThingsError};
use crate::model::ResourceId;
use crate::store::resource::{self, ResourceRow};

/// The topic that is rung when a resource was added.
pub const RESOURCES: stoa_store::Topic = "resources";
/// The longest name, in characters.
const NAME_CHARS: usize = 100;

/// A place to be connected, by whoever may do everything on this machine.
#[derive(Clone, Debug)]
pub struct AddResource {
    /// The tenant it is for.
    pub workspace: WorkspaceId,
    /// The connector: `folder`.
    pub connector: String,
    /// Its name, unique in the workspace.
    pub name: String,
    /// What the connector needs to know.
    pub settings: BTreeMap<String, String>,
}

/// Connects a place and answers its id. It is not synced yet.
///
/// # Errors
/// [`ThingsError::Argument`] where the name is taken or a setting is missing, unknown or unusable.
pub async fn add_resource(
    things: &Things,
    act: &Act,
    asked: &AddResource,
) -> Result<ResourceId, ThingsError> {
    if asked.name.trim().is_empty() || asked.name.chars().count() > NAME_CHARS {
        return Err(ThingsError::Argument(format!("name: give 1 to {NAME_CHARS} characters")));
    }
    let configuration = things
        .connectors()
        .configure(&asked.connector, &asked.settings)
        .map_err(|problem| ThingsError::Argument(problem.to_string()))?;
    let row = ResourceRow {
        id: Id::new(things.ambient()),
        workspace: asked.workspace,
        name: asked.name.trim().to_owned(),
        connector: asked.connector.clone(),
        configuration,
        is_default: false,
        synced_at: None,
        sync_counts: None,
        sync_error: None,
    };
    let mut tx = things.db().begin().await?;
    if !resource::insert(&mut tx, &row, things.ambient().now()).await? {
        return Err(ThingsError::Argument(format!("name: there is a resource named {} already", row.name)));
    }
    tx.wake(RESOURCES);
    act.commit(tx).await?;
    Ok(row.id)
}
