//! `stoa workspace delete`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::{Workspace, WorkspaceName};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services;
use crate::tenancy::{Tenancy, delete};

/// Arguments of `stoa workspace delete`.
#[derive(Debug, Args)]
pub struct Delete {
    /// Its name
    name: WorkspaceName,
    /// Its name again: all that it has is deleted for good
    #[arg(long, value_name = "NAME")]
    really: WorkspaceName,
}

#[derive(Debug, Serialize)]
struct Deleted(Workspace);

impl Delete {
    /// Deletes it, beside a running server or without one.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        if self.name != self.really {
            return Err(Failure::NotReally(self.name));
        }
        let workspace = house.workspace(Some(&self.name)).await?;
        let arguments = json!({ "name": workspace.name, "workspace": workspace.id });
        let act = house.act(house.default, "workspace delete", arguments);
        let tenancy = Tenancy::new(house, &services::things(house));
        end(&act, delete::delete(&tenancy, &act, &workspace).await).await?;
        context.output.print(&Deleted(workspace))
    }
}

impl fmt::Display for Deleted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deleted the workspace {}", self.0.name)
    }
}
