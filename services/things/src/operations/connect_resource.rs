//! Connecting a place on a page, within what the operator lets people connect.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use stoa_identity::Caller;
use stoa_store::audit::Act;

use super::add_resource::{AddResource, add_resource};
use super::rights::Connect;
use super::{Things, ThingsError, may};
use crate::model::ResourceId;

/// Connects a place and answers its id. It is not synced yet.
///
/// # Errors
/// [`ThingsError::Denied`] without the right; [`ThingsError::Argument`] where the name is taken, or a setting is
/// missing, unknown, unusable or leads to where nobody may connect from a page.
pub async fn connect_resource(
    things: &Things,
    caller: &Arc<Caller>,
    act: &Act,
    (connector, name): (&str, &str),
    settings: BTreeMap<String, String>,
) -> Result<ResourceId, ThingsError> {
    let may = may::in_workspace::<Connect>(caller)?;
    let connectors = things.connectors();
    let bounds = &things.settings().connectable;
    // First as it was typed: what there is on the machine outside of the bounds is nobody's business.
    connectors
        .permit(connector, &json!(settings), bounds)
        .and_then(|()| connectors.configure(connector, &settings))
        .and_then(|configured| connectors.permit(connector, &configured, bounds))
        .map_err(|problem| ThingsError::Argument(problem.to_string()))?;
    let asked = AddResource {
        workspace: may.caller().workspace,
        connector: connector.to_owned(),
        name: name.to_owned(),
        settings,
    };
    add_resource(things, act, &asked).await
}
