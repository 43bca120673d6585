//! `stoa workspace`: the tenants.

use std::fmt;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;
use stoa_identity::workspaces;
use stoa_identity::{Email, Workspace as Tenant, WorkspaceName};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services;

/// `stoa workspace …`
#[derive(Debug, Subcommand)]
pub enum Workspace {
    /// Add a workspace
    Add(Add),
}

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
struct Added(Tenant);

impl Workspace {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let Self::Add(add) = self;
        let arguments = json!({ "name": add.name, "owner": add.owner });
        let act = house.act(house.default, "workspace add", arguments);
        let added = workspaces::add(&house.db, &house.ambient, &act, add.name, &add.owner).await;
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
