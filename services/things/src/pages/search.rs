//! Searching the catalog.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use stoa_web::{Fault, Member, Section, Shell, Web, When, page_with};
use url::form_urlencoded::Serializer;

use super::texts::Texts;
use super::trouble;
use crate::model::{Kind, SelectorArguments};
use crate::operations::list_resources::{Completeness, list_resources};
use crate::operations::search_things::{Found, FoundThing, SearchThings, search_things};
use crate::operations::{Things, ThingsError};

/// Things on a page.
const SHOWN: usize = 25;

#[derive(Template)]
#[template(path = "things/search.html")]
struct Page {
    shell: Shell,
    t: &'static Texts,
    asked: Asked,
    kinds: Vec<(&'static str, &'static str)>,
    places: Vec<Place>,
    problem: Option<String>,
    found: Option<Results>,
}

struct Place {
    id: String,
    name: String,
}

struct Results {
    count: String,
    completeness: String,
    things: Vec<Hit>,
    next: Option<String>,
}

struct Hit {
    id: String,
    title: String,
    kind: &'static str,
    snippet: Option<String>,
    where_: Vec<String>,
    more: i64,
    since: When,
}

impl Asked {
    /// Whether more than words was asked for.
    const fn is_narrowed(&self) -> bool {
        !self.folder.is_empty() || !self.since.is_empty() || !self.before.is_empty()
    }
}

/// The query of the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    resource: String,
    #[serde(default)]
    folder: String,
    #[serde(default)]
    since: String,
    #[serde(default)]
    before: String,
    #[serde(default)]
    cursor: String,
}

/// `GET /things/`.
pub(super) async fn show(
    State(web): State<Web>,
    Extension(things): Extension<Things>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let shell = Shell::inside(&web, &member, Section::Service(crate::NAME));
    let t = Texts::of(shell.language);
    let places: Vec<Place> = match list_resources(&things, &member.caller).await {
        Ok(all) => all.into_iter().map(|one| Place { id: one.id.to_string(), name: one.name }).collect(),
        Err(error) => return Ok(trouble::page(&member, error)),
    };
    let (status, problem, found) = match search(&things, &member, &asked).await {
        Ok(found) => (StatusCode::OK, None, Some(results(&web, &shell, &asked, found, &places))),
        Err(error) => {
            let (status, problem) = trouble::said(t, error)?;
            (status, Some(problem), None)
        }
    };
    let kinds = Kind::ALL.map(|kind| (kind.as_str(), t.kind(kind))).into();
    Ok(page_with(status, &Page { shell, t, asked, kinds, places, problem, found }))
}

async fn search(things: &Things, member: &Member, asked: &Asked) -> Result<Found, ThingsError> {
    let said = |text: &String| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let selector = SelectorArguments {
        query: said(&asked.q),
        kind: said(&asked.kind),
        resource_id: said(&asked.resource),
        folder: said(&asked.folder),
        since: said(&asked.since),
        before: said(&asked.before),
    };
    let asked = SearchThings { selector: selector.parse()?, limit: SHOWN, cursor: said(&asked.cursor) };
    search_things(things, &member.caller, &asked).await
}

fn results(web: &Web, shell: &Shell, asked: &Asked, found: Found, places: &[Place]) -> Results {
    let t = Texts::of(shell.language);
    let Completeness { synced, of, .. } = found.completeness;
    Results {
        count: (t.found)(found.total, found.total_is_lower_bound),
        completeness: (t.completeness)(synced, of),
        next: found.next_cursor.map(|cursor| address(shell, asked, &cursor)),
        things: found.things.into_iter().map(|thing| hit(web, shell, thing, places)).collect(),
    }
}

/// The address of the page that goes on from there.
fn address(shell: &Shell, asked: &Asked, cursor: &str) -> String {
    let mut query = Serializer::new(String::new());
    let said = [
        ("q", asked.q.as_str()),
        ("kind", &asked.kind),
        ("resource", &asked.resource),
        ("folder", &asked.folder),
        ("since", &asked.since),
        ("before", &asked.before),
        ("cursor", cursor),
    ];
    query.extend_pairs(said.into_iter().filter(|(_, value)| !value.is_empty()));
    format!("{}/things/?{}", shell.base, query.finish())
}

fn hit(web: &Web, shell: &Shell, thing: FoundThing, places: &[Place]) -> Hit {
    let shown = i64::try_from(thing.references.len()).unwrap_or_default();
    let name = |id: String| {
        places.iter().find(|place| place.id == id).map_or(id.clone(), |place| place.name.clone())
    };
    Hit {
        id: thing.id.to_string(),
        title: thing.title,
        kind: Texts::of(shell.language).kind(thing.kind),
        snippet: thing.snippet,
        more: thing.reference_count - shown,
        where_: thing
            .references
            .into_iter()
            .map(|reference| format!("{} · {}", name(reference.resource_id.to_string()), reference.key))
            .collect(),
        since: shell.when(web, thing.catalogued_at),
    }
}
