//! `stoa workspace add`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::workspaces;
use stoa_identity::{Email, Workspace, WorkspaceName};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services;

/// Arguments of `stoa workspace add`.
#[derive(Debug, Args)]
pub struct Add {
    /// Its name, as in its URLs: lower-case letters, digits and hyphens
    name: WorkspaceName,
    /// The account that owns it
    #[arg(long, value_name = "EMAIL")]
    owner: Email,
}

#[derive(Debug, Serialize)]
struct Added(Workspace);

impl Add {
    /// Adds it, with what it starts with in each service.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let arguments = json!({ "name": self.name, "owner": self.owner });
        let act = house.act(house.default, "workspace add", arguments);
        let added = workspaces::add(&house.db, &house.ambient, &act, self.name, &self.owner).await;
        let added = end(&act, added).await?;
        services::prepare(&services::things(house), added.id).await?;
        context.output.print(&Added(added))
    }
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "added the workspace {}", self.0.name)
    }
}
