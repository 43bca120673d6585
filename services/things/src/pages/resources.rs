//! The places that are catalogued.

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use stoa_identity::authorize_workspace;
use stoa_store::audit::Status;
use stoa_web::{Fault, Member, Named, Section, Shell, Web, When, page, see_other};

use super::texts::Texts;
use super::trouble;
use crate::connector::Checked;
use crate::model::ResourceId;
use crate::operations::check_resource::check_resource;
use crate::operations::list_resources::{ListedResource, list_resources};
use crate::operations::rights::Connect;
use crate::operations::sync_resource::sync_resource;
use crate::operations::{Things, ThingsError};

#[derive(Template)]
#[template(path = "things/resources.html")]
struct Page {
    shell: Shell,
    t: &'static Texts,
    may_connect: bool,
    places: Vec<Place>,
}

struct Place {
    id: String,
    name: String,
    connector: String,
    state: &'static str,
    is_well: bool,
    is_fresh: bool,
    counts: Option<String>,
    synced: Option<When>,
    problem: Option<String>,
    /// What a check just said.
    checked: Option<String>,
}

/// `GET /things/resources`.
pub(super) async fn show(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
) -> Response {
    match list(&web, &things, &member, None).await {
        Ok(shown) => page(&shown),
        Err(error) => trouble::page(&member, error),
    }
}

async fn list(
    web: &Web,
    things: &Things,
    member: &Member,
    checked: Option<(ResourceId, Checked)>,
) -> Result<Page, ThingsError> {
    let shell = Shell::inside(web, member, Section::Service(crate::NAME));
    let t = Texts::of(shell.language);
    let all = list_resources(things, &member.caller).await?;
    let told = |id: ResourceId| {
        checked.as_ref().filter(|(checked, _)| *checked == id).map(|(_, checked)| answer(t, checked))
    };
    let places = all.into_iter().map(|one| place(web, &shell, told(one.id), one)).collect();
    let may_connect = authorize_workspace::<Connect>(&member.caller).is_ok();
    Ok(Page { shell, t, may_connect, places })
}

fn place(web: &Web, shell: &Shell, checked: Option<String>, one: ListedResource) -> Place {
    let t = Texts::of(shell.language);
    Place {
        id: one.id.to_string(),
        name: one.name,
        connector: t.connector(&one.connector).map_or(one.connector, str::to_owned),
        state: t.state(one.sync.state),
        is_well: one.sync.error.is_none(),
        is_fresh: one.sync.error.is_none() && one.sync.state == "done",
        counts: one.sync.counts.as_ref().and_then(|counts| said(t, counts)),
        synced: one.sync.last_at.map(|at| shell.when(web, at)),
        problem: one.sync.error,
        checked,
    }
}

/// What the last sync counted: how many files there are, and how many could not be read.
fn said(t: &Texts, counts: &Value) -> Option<String> {
    let count = |name: &str| counts[name].as_u64().unwrap_or_default();
    counts["files"].as_u64().map(|files| (t.counted)(files, count("added"), count("unreadable")))
}

fn answer(t: &Texts, checked: &Checked) -> String {
    match (&checked.problem, checked.latency_ms) {
        (Some(problem), _) => problem.clone(),
        (None, latency) => (t.answers)(latency.unwrap_or_default()),
    }
}

/// `POST /things/resources/{id}/sync`.
pub(super) async fn sync(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    Named(id): Named<ResourceId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "sync_resource", json!({ "resource_id": id }));
    let queued = match id {
        Some(id) => sync_resource(&things, &member.caller, &act, id, false).await,
        None => Err(ThingsError::NO_RESOURCE),
    };
    match queued {
        Ok(_) => Ok(see_other(&format!("{}/things/runs", member.base()))),
        Err(error) => trouble::refuse(&member, &act, error).await,
    }
}

/// `POST /things/resources/{id}/check`: the list, with what the place answered.
pub(super) async fn check(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    Named(id): Named<ResourceId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "check_resource", json!({ "resource_id": id }));
    let checked = match id {
        Some(id) => check_resource(&things, &member.caller, id).await.map(|checked| (id, checked)),
        None => Err(ThingsError::NO_RESOURCE),
    };
    let shown = match checked {
        Ok(checked) => list(&web, &things, &member, Some(checked)).await,
        Err(error) => Err(error),
    };
    match shown {
        Ok(shown) => {
            act.close(Status::Ok, None).await?;
            Ok(page(&shown))
        }
        Err(error) => trouble::refuse(&member, &act, error).await,
    }
}
