//! `stoa workspace export`.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::WorkspaceName;

use crate::backup::Counts;
use crate::commands::Context;
use crate::failure::Failure;
use crate::files::write_private;
use crate::house::{House, end};
use crate::tenancy::export;

/// Arguments of `stoa workspace export`.
#[derive(Debug, Args)]
pub struct Export {
    /// Its name
    name: WorkspaceName,
    /// The file to write [default: stoa-NAME.tar.gz]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Written {
    file: PathBuf,
    #[serde(flatten)]
    counts: Counts,
}

impl Export {
    /// Writes it, beside a running server or without one. The file appears when it is whole.
    ///
    /// # Errors
    /// [`Failure`] says what can't be read or written.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(Some(&self.name)).await?;
        let file = self.out.unwrap_or_else(|| PathBuf::from(format!("stoa-{}.tar.gz", workspace.name)));
        let act = house.act(workspace.id, "workspace export", json!({ "out": file }));
        let written = write_private(&file, async |out| {
            Ok(export::write(&house.db, &house.ambient, &workspace, out).await?)
        });
        let counts = end(&act, written.await).await?;
        context.output.print(&Written { file, counts })
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, counts } = self;
        write!(f, "{}: {} rows of {} tables", file.display(), counts.rows, counts.tables)
    }
}
