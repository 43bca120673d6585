//! `stoa things add`.

use std::collections::BTreeMap;
use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::WorkspaceName;
use things::model::ResourceId;
use things::operations::add_resource::{AddResource, add_resource};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services;

/// Arguments of `stoa things add`.
#[derive(Debug, Args)]
pub struct Add {
    /// How the place is reached: folder
    #[arg(long)]
    connector: String,
    /// What it is called, unique in the workspace
    #[arg(long)]
    name: String,
    /// What the connector needs to know; may be repeated. Of folder: path=PATH, exclude=NAMES
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
}

/// What is printed: without `--json` the id alone, so that a shell can take it.
#[derive(Debug, Serialize)]
struct Added {
    id: ResourceId,
    name: String,
    connector: String,
}

impl Add {
    /// Connects the place. It is not synced yet.
    ///
    /// # Errors
    /// [`Failure::RepeatedSetting`]; [`Failure::Things`] says what is wrong with the name or a setting.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(self.workspace.as_ref()).await?.id;
        let settings = by_name(self.settings)?;
        // Only the names of settings: values may be credentials.
        let names: Vec<_> = settings.keys().collect();
        let arguments = json!({ "connector": self.connector, "name": self.name, "set": names });
        let act = house.act(workspace, "things add", arguments);
        let asked = AddResource { workspace, connector: self.connector, name: self.name, settings };
        let id = end(&act, add_resource(&services::things(house), &act, &asked).await).await?;
        context.output.print(&Added { id, name: asked.name, connector: asked.connector })
    }
}

fn setting(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// The settings by name. Of one that is given twice nobody knows which was meant.
fn by_name(given: Vec<(String, String)>) -> Result<BTreeMap<String, String>, Failure> {
    let mut settings = BTreeMap::new();
    for (name, value) in given {
        if settings.contains_key(&name) {
            return Err(Failure::RepeatedSetting(name));
        }
        settings.insert(name, value);
    }
    Ok(settings)
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}
