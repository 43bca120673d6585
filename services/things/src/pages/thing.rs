//! One thing: what is known of it, and its text.

use std::collections::HashMap;

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use stoa_web::{Fault, Member, Named, Section, Shell, Web, When, page, see_other};

use super::texts::Texts;
use super::trouble;
use crate::model::ThingId;
use crate::operations::analyze_thing::analyze_thing;
use crate::operations::get_thing::{ReferenceDetail, ThingDetail, get_thing};
use crate::operations::list_resources::list_resources;
use crate::operations::{Things, ThingsError};
use crate::store::step::Step;

#[derive(Template)]
#[template(path = "things/thing.html")]
struct Page {
    shell: Shell,
    t: &'static Texts,
    id: String,
    title: String,
    kind: &'static str,
    mime: String,
    size: String,
    hash: Option<String>,
    is_gone: bool,
    superseded_by: Option<String>,
    since: When,
    references: Vec<Reference>,
    more: i64,
    text: Option<String>,
    begins_later: bool,
    next: Option<usize>,
}

struct Reference {
    place: String,
    key: String,
    changed: When,
    steps: Vec<StepSaid>,
}

struct StepSaid {
    step: String,
    outcome: &'static str,
    is_well: bool,
    detail: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    offset: String,
}

/// `GET /things/thing/{id}`.
pub(super) async fn show(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    Named(id): Named<ThingId>,
    Query(asked): Query<Asked>,
    member: Member,
) -> Response {
    // What is no number is typed by hand: the text is shown from its beginning.
    let offset = asked.offset.parse().unwrap_or(0);
    match shown(&web, &things, &member, id.ok_or(ThingsError::NO_THING), offset).await {
        Ok(shown) => page(&shown),
        Err(error) => trouble::page(&member, error),
    }
}

async fn shown(
    web: &Web,
    things: &Things,
    member: &Member,
    id: Result<ThingId, ThingsError>,
    offset: usize,
) -> Result<Page, ThingsError> {
    let detail = get_thing(things, &member.caller, id?, offset).await?;
    let places = list_resources(things, &member.caller).await?;
    let places = places.into_iter().map(|place| (place.id.to_string(), place.name)).collect();
    Ok(filled(web, Shell::inside(web, member, Section::Service(crate::NAME)), detail, &places, offset))
}

fn filled(
    web: &Web,
    shell: Shell,
    detail: ThingDetail,
    places: &HashMap<String, String>,
    offset: usize,
) -> Page {
    let t = Texts::of(shell.language);
    let shown = i64::try_from(detail.references.len()).unwrap_or_default();
    let references = detail.references.into_iter().map(|one| reference(web, &shell, one, places)).collect();
    Page {
        id: detail.id.to_string(),
        title: detail.title,
        kind: t.kind(detail.kind),
        mime: detail.mime,
        size: (t.bytes)(u64::try_from(detail.size).unwrap_or_default()),
        hash: detail.hash,
        is_gone: detail.state == "gone",
        superseded_by: detail.superseded_by.map(|id| id.to_string()),
        since: shell.when(web, detail.catalogued_at),
        references,
        more: detail.reference_count - shown,
        text: detail.body,
        begins_later: offset > 0,
        next: detail.next_offset,
        t,
        shell,
    }
}

fn reference(web: &Web, shell: &Shell, one: ReferenceDetail, places: &HashMap<String, String>) -> Reference {
    let t = Texts::of(shell.language);
    let id = one.resource_id.to_string();
    Reference {
        place: places.get(&id).cloned().unwrap_or(id),
        key: one.key,
        changed: shell.when(web, one.modified_at),
        steps: one.analysis.into_iter().map(|step| step_said(t, step)).collect(),
    }
}

fn step_said(t: &'static Texts, step: Step) -> StepSaid {
    let is_well = step.is_well();
    let outcome = t.step_outcome(&step.status);
    let step_name = t.step(&step.step).map_or(step.step, str::to_owned);
    StepSaid { step: step_name, outcome, is_well, detail: step.error.or(step.engine) }
}

/// `POST /things/thing/{id}/analyze`.
pub(super) async fn analyze(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    Named(id): Named<ThingId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "analyze_thing", json!({ "id": id }));
    let queued = match id {
        Some(id) => analyze_thing(&things, &member.caller, &act, id, true).await,
        None => Err(ThingsError::NO_THING),
    };
    match queued {
        Ok(_) => Ok(see_other(&format!("{}/things/runs", member.base()))),
        Err(error) => trouble::refuse(&member, &act, error).await,
    }
}
