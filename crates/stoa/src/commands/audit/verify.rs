//! `stoa audit verify`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::WorkspaceName;
use stoa_store::audit::chain::{self, ChainReport, Checkpoint, LIMITS};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa audit verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// A checkpoint, as the log shows it
    #[arg(long, value_name = "WORKSPACE_ID:POSITION:MAC")]
    checkpoint: Option<Checkpoint>,
    /// One workspace only
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
}

#[derive(Debug, Serialize)]
struct Verified {
    intact: bool,
    workspaces: Vec<ChainReport>,
    /// What an intact chain does not prove.
    limits: &'static str,
}

impl Verify {
    /// Recomputes the chains and prints what was found.
    ///
    /// # Errors
    /// [`Failure::AuditBroken`] when an entry was changed or dropped.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = match &self.workspace {
            Some(name) => Some(house.workspace(Some(name)).await?.id),
            None => None,
        };
        let arguments = json!({ "checkpoint": self.checkpoint.as_ref().map(ToString::to_string) });
        let act = house.act(workspace.unwrap_or(house.default), "audit verify", arguments);
        let report = chain::verify(&house.db, &house.chain_key(), workspace, self.checkpoint.as_ref()).await;
        let report = end(&act, report).await?;
        let intact = report.is_intact();
        context.output.print(&Verified { intact, workspaces: report.workspaces, limits: LIMITS })?;
        if intact { Ok(()) } else { Err(Failure::AuditBroken) }
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chain in &self.workspaces {
            let ChainReport { workspace, entries, unchained, head_position, head_mac, .. } = chain;
            let verdict = if chain.problem_count == 0 { "intact" } else { "NOT INTACT" };
            writeln!(f, "{workspace}: {verdict}, {entries} linked entries, {unchained} not linked yet")?;
            writeln!(f, "  checkpoint {workspace}:{head_position}:{head_mac}")?;
            for problem in &chain.problems {
                writeln!(f, "  {problem}")?;
            }
            let listed = u64::try_from(chain.problems.len()).unwrap_or(u64::MAX);
            if chain.problem_count > listed {
                writeln!(f, "  and {} problems more", chain.problem_count - listed)?;
            }
        }
        write!(f, "{}", self.limits)
    }
}
