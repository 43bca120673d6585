//! What is being done, and what was: runs, with their progress.

use std::collections::HashMap;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_runs::{RunId, RunStatus};
use stoa_web::{Fault, Member, Named, Section, Shell, Web, When, page, see_other};

use super::texts::Texts;
use super::trouble;
use crate::operations::cancel_run::cancel_run;
use crate::operations::list_resources::list_resources;
use crate::operations::list_runs::{ListRuns, ListedRun, list_runs};
use crate::operations::{Things, ThingsError};

/// Runs on the page.
const SHOWN: u32 = 50;

#[derive(Template)]
#[template(path = "things/runs.html")]
struct Page {
    shell: Shell,
    t: &'static Texts,
    runs: Vec<RunSaid>,
}

/// The list alone, which the page asks for again while something goes on.
#[derive(Template)]
#[template(path = "things/run_list.html")]
struct List {
    shell: Shell,
    t: &'static Texts,
    runs: Vec<RunSaid>,
}

struct RunSaid {
    id: String,
    what: String,
    status: &'static str,
    is_live: bool,
    is_well: bool,
    done: u64,
    total: Option<u64>,
    progress: String,
    since: When,
    error: Option<String>,
}

/// `GET /things/runs`.
pub(super) async fn show(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
) -> Response {
    match said(&web, &things, &member).await {
        Ok(List { shell, t, runs }) => page(&Page { shell, t, runs }),
        Err(error) => trouble::page(&member, error),
    }
}

/// `GET /things/runs/list`.
pub(super) async fn list(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
) -> Response {
    match said(&web, &things, &member).await {
        Ok(list) => page(&list),
        Err(error) => trouble::page(&member, error),
    }
}

async fn said(web: &Web, things: &Things, member: &Member) -> Result<List, ThingsError> {
    let shell = Shell::inside(web, member, Section::Service(crate::NAME));
    let t = Texts::of(shell.language);
    let asked = ListRuns { kind: None, status: None, limit: SHOWN, cursor: None };
    let listed = list_runs(things, &member.caller, &asked).await?;
    let places = list_resources(things, &member.caller).await?;
    let places: HashMap<_, _> = places.into_iter().map(|place| (place.id, place.name)).collect();
    let runs = listed.runs.into_iter().map(|run| {
        let place = run.resource_id.and_then(|id| places.get(&id));
        one(web, &shell, run, place.map(String::as_str))
    });
    let runs = runs.collect();
    Ok(List { shell, t, runs })
}

fn one(web: &Web, shell: &Shell, run: ListedRun, place: Option<&str>) -> RunSaid {
    let t = Texts::of(shell.language);
    let kind = t.run(&run.kind).map_or(run.kind, str::to_owned);
    let progress = run.progress;
    RunSaid {
        id: run.id.to_string(),
        what: place.map_or_else(|| kind.clone(), |place| format!("{kind}: {place}")),
        status: t.status(run.status),
        is_live: !run.status.is_over(),
        is_well: run.status != RunStatus::Failed,
        done: progress.done,
        total: progress.total.filter(|total| *total > 0),
        progress: (t.progress)(&progress),
        since: shell.when(web, run.created_at),
        error: run.error,
    }
}

/// `POST /things/runs/{id}/cancel`.
pub(super) async fn cancel(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    Named(id): Named<RunId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "cancel_run", json!({ "run_id": id }));
    let cancelled = match id {
        Some(id) => cancel_run(&things, &member.caller, &act, id).await,
        None => Err(ThingsError::NO_RUN),
    };
    match cancelled {
        Ok(_) => Ok(see_other(&format!("{}/things/runs", member.base()))),
        Err(error) => trouble::refuse(&member, &act, error).await,
    }
}
