//! `stoa token list`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use stoa_identity::{TokenRecord, WorkspaceName, tokens};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;
use crate::output::columns;

/// Arguments of `stoa token list`.
#[derive(Debug, Args)]
pub struct List {
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
}

#[derive(Debug, Serialize)]
struct Listed {
    tokens: Vec<TokenRecord>,
}

impl List {
    /// Prints the tokens of the workspace, newest first.
    ///
    /// # Errors
    /// [`Failure::UnknownWorkspace`], or the database's failure.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(self.workspace.as_ref()).await?;
        context.output.print(&Listed { tokens: tokens::list(&house.db, workspace.id).await? })
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tokens.is_empty() {
            return f.write_str("no tokens yet: stoa token add --account EMAIL --mount all");
        }
        let heads = ["ID", "ACCOUNT", "MOUNT", "SCOPES", "CLIENT", "LAST USED", "ENDS"];
        columns(f, heads, &self.tokens.iter().map(row).collect::<Vec<_>>())
    }
}

fn row(token: &TokenRecord) -> [String; 7] {
    let installation = &token.installation;
    let ends = match (token.revoked_at, token.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) => at.to_string(),
        (None, None) => "never".to_owned(),
    };
    [
        token.id.to_string(),
        token.email.to_string(),
        installation.mount.service.clone(),
        installation.grant.scopes.to_string(),
        installation
            .client
            .as_ref()
            .map_or_else(|| "-".to_owned(), |client| format!("{} {}", client.name, client.version)),
        installation.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
        ends,
    ]
}
