//! `stoa audit export`.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stoa_identity::WorkspaceName;
use stoa_store::StoreError;
use stoa_store::audit::chain;

use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa audit export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Export {
    /// Writes every entry of the workspace.
    ///
    /// # Errors
    /// [`Failure::UnknownWorkspace`], [`Failure::File`], or the database's failure.
    pub async fn run(self, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(self.workspace.as_ref()).await?.id;
        let act = house.act(workspace, "audit export", json!({ "out": self.out }));
        let written = match &self.out {
            None => chain::export(&house.db, workspace, &mut tokio::io::stdout()).await.or_else(unless_left),
            Some(path) => {
                let mut file = tokio::fs::File::create(path).await.map_err(Failure::file(path))?;
                chain::export(&house.db, workspace, &mut file).await
            }
        };
        end(&act, written).await
    }
}

/// A reader that went away (`| head`) is no failure.
fn unless_left(error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::File { source, .. } if source.kind() == ErrorKind::BrokenPipe => Ok(()),
        error => Err(error),
    }
}
