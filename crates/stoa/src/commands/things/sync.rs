//! `stoa things sync`.

use std::fmt;
use std::pin::pin;
use std::time::Duration;

use clap::Args;
use futures::StreamExt;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use stoa_base::{Timestamp, WorkspaceId};
use stoa_identity::{WorkspaceName, authorize};
use stoa_runs::{Enqueued, RunId, RunRow, RunStatus};
use stoa_store::audit::Act;
use things::model::ResourceId;
use things::operations::rights;
use things::operations::sync_resource::new_sync;
use things::store::resource::ResourceRow;
use tokio_util::sync::CancellationToken;

use super::operator;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::serve::signals::StopSignals;
use crate::services;

/// How often a line is written where no bar can move.
const LINE: Duration = Duration::from_secs(5);

/// Arguments of `stoa things sync`.
#[derive(Debug, Args)]
pub struct Sync {
    /// The resource's id, as `stoa things add` printed it
    id: ResourceId,
    /// Read everything again, also what looks unchanged
    #[arg(long)]
    full: bool,
    /// Wait for the end; without a server, do the work here
    #[arg(long)]
    wait: bool,
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
}

/// What became of the run.
#[derive(Debug, Serialize)]
struct Synced {
    run_id: RunId,
    status: RunStatus,
    done: u64,
    bytes: u64,
    error: Option<String>,
}

impl Sync {
    /// Queues the sync, or finds the one that is under way, and waits for it where asked to.
    ///
    /// # Errors
    /// [`Failure::Things`] for an unknown resource; [`Failure::Run`] where the sync ended otherwise than well.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(self.workspace.as_ref()).await?.id;
        let arguments = json!({ "resource_id": self.id, "full": self.full });
        let act = house.act(workspace, "things sync", arguments);
        let run = end(&act, self.queue(house, &act, workspace).await).await?;
        let row = if self.wait { wait(context, house, workspace, run).await? } else { None };
        context.output.print(&Synced::of(run, row.as_ref()))?;
        match row.as_ref().map(|row| row.status) {
            Some(RunStatus::Failed | RunStatus::Cancelled) => Err(Failure::Run(run)),
            _ => Ok(()),
        }
    }

    /// Nobody's budget is debited: the command line is no installation.
    async fn queue(&self, house: &House, act: &Act, workspace: WorkspaceId) -> Result<RunId, Failure> {
        let caller = operator(workspace, &house.ambient)?;
        let may = authorize::<ResourceRow, rights::Sync>(&house.db, &caller, &self.id).await;
        let may = may.map_err(|refusal| Failure::resource(self.id, refusal))?;
        let mut tx = house.db.begin().await?;
        let queued =
            stoa_runs::enqueue(&mut tx, &house.ambient, &new_sync(may.target(), self.full), None).await?;
        act.commit(tx).await?;
        Ok(match queued {
            Enqueued::New(run) | Enqueued::Live(run) => run,
        })
    }
}

/// Shows the run's progress to its end. Ctrl-C leaves the run where it is.
async fn wait(
    context: &Context,
    house: &House,
    workspace: WorkspaceId,
    run: RunId,
) -> Result<Option<RunRow>, Failure> {
    let stop = CancellationToken::new();
    let mut signals = StopSignals::listen().map_err(Failure::Signals)?;
    let works = services::works(&services::things(house));
    let work = stoa_runs::work_one(&house.db, &house.ambient, works, workspace, run, stop.clone());
    let mut work = pin!(work);
    let mut show = pin!(show(context, house, workspace, run));
    let mut shown = false;
    loop {
        tokio::select! {
            ended = &mut work => return Ok(ended?),
            () = &mut show, if !shown => shown = true,
            () = signals.next() => stop.cancel(),
        }
    }
}

async fn show(context: &Context, house: &House, workspace: WorkspaceId, run: RunId) {
    let mut progress = Progress::new(context, house.ambient.now());
    let mut changes = pin!(stoa_runs::watch(&house.db, workspace, run));
    while let Some(Ok(row)) = changes.next().await {
        progress.show(&row, context.ambient.now());
    }
}

/// Progress on standard error: a bar that moves on a terminal, else a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    last_line: Timestamp,
}

impl Progress {
    fn new(context: &Context, now: Timestamp) -> Self {
        Self { bar: context.output.moves().then(new_bar), last_line: now }
    }

    fn show(&mut self, row: &RunRow, now: Timestamp) {
        let progress = &row.progress;
        if let Some(bar) = &self.bar {
            if let Some(total) = progress.total {
                bar.set_length(total);
            }
            bar.set_position(progress.done);
            bar.set_message(row.status.as_str());
            if row.status.is_over() {
                bar.finish_and_clear();
            }
        } else if now.since(self.last_line) >= LINE {
            self.last_line = now;
            let of = progress.total.map_or_else(String::new, |total| format!(" of {total}"));
            eprintln!("{}: {}{of} files", row.status.as_str(), progress.done);
        }
    }
}

fn new_bar() -> ProgressBar {
    let form = "{spinner} {msg} {wide_bar} {pos}/{len} {per_sec} {eta}";
    ProgressBar::no_length()
        .with_style(ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

impl Synced {
    /// Of a run that was waited for, or was only queued.
    fn of(run_id: RunId, row: Option<&RunRow>) -> Self {
        Self {
            run_id,
            status: row.map_or(RunStatus::Queued, |row| row.status),
            done: row.map_or(0, |row| row.progress.done),
            bytes: row.map_or(0, |row| row.progress.bytes),
            error: row.and_then(|row| row.error.clone()),
        }
    }
}

impl fmt::Display for Synced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run_id, status, done, bytes, error } = self;
        match status {
            RunStatus::Queued => {
                write!(f, "queued {run_id}: a server works on it, or this command with --wait")
            }
            RunStatus::Running => write!(f, "running {run_id}"),
            status => {
                write!(f, "{} {run_id}: {done} files, {}", status.as_str(), indicatif::BinaryBytes(*bytes))?;
                error.as_ref().map_or(Ok(()), |error| write!(f, "; {error}"))
            }
        }
    }
}
