//! The web face: what people read of this service, and its pages, one file a page.

mod connect;
mod places;
mod resources;
mod runs;
mod search;
mod texts;
mod thing;
mod trouble;

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::routing::{get, post};
use stoa_identity::Lifetimes;
use stoa_web::RouteKind::{Member, MemberForm};
use stoa_web::{Face, Language, Quota, Route, ScopeFace};

use crate::operations::Things;
use crate::{NAME, TITLE};

/// What people read of this service on the house's pages, and its own. `mcp_limit` is how many calls a minute each
/// agent has.
#[must_use]
pub fn face(things: &Things, mcp_limit: u32) -> Face {
    Face {
        name: NAME,
        title: TITLE,
        about: |language| match language {
            Language::English => {
                "One catalog over the places your files are in: agents search it and read what they find."
            }
            Language::Spanish => {
                "Un catálogo de los lugares donde están tus archivos: los agentes buscan en él y leen lo que encuentran."
            }
        },
        scopes: SCOPES,
        says,
        lifetimes: Lifetimes { access: Duration::from_hours(1), refresh: Duration::from_hours(30 * 24) },
        quotas: vec![
            Quota { says: calls, amount: mcp_limit },
            Quota { says: runs_an_hour, amount: things.settings().run_budget },
        ],
        places: Arc::new(places::Resources(things.clone())),
        pages: pages(things),
    }
}

const fn calls(language: Language) -> &'static str {
    match language {
        Language::English => "Calls a minute (Things)",
        Language::Spanish => "Llamadas por minuto (Things)",
    }
}

const fn runs_an_hour(language: Language) -> &'static str {
    match language {
        Language::English => "Runs an hour, unless you gave an agent another number (Things)",
        Language::Spanish => "Ejecuciones por hora, salvo que dieras otro número a un agente (Things)",
    }
}

/// Every page, under the base of the service.
fn pages(things: &Things) -> Vec<Route> {
    let pages = vec![
        Route::new("/", Member, get(search::show)),
        Route::new("/thing/{id}", Member, get(thing::show)),
        Route::new("/thing/{id}/analyze", MemberForm, post(thing::analyze)),
        Route::new("/resources", Member, get(resources::show)),
        Route::new("/resources/new", Member, get(connect::show).post(connect::connect)),
        Route::new("/resources/{id}/sync", MemberForm, post(resources::sync)),
        Route::new("/resources/{id}/check", MemberForm, post(resources::check)),
        Route::new("/runs", Member, get(runs::show)),
        Route::new("/runs/list", Member, get(runs::list)),
        Route::new("/runs/{id}/cancel", MemberForm, post(runs::cancel)),
    ];
    let with_things = |mut page: Route| {
        page.methods = page.methods.layer(Extension(things.clone()));
        page
    };
    pages.into_iter().map(with_things).collect()
}

/// What each tool, page and command does.
fn says(language: Language, act: &str) -> Option<&'static str> {
    let (english, spanish) = match act {
        "search_things" | "things search" => ("Search", "Buscar"),
        "get_thing" => ("Read a thing", "Leer una cosa"),
        "analyze_thing" => ("Analyze a thing again", "Analizar una cosa de nuevo"),
        "list_resources" => ("List the places", "Listar los lugares"),
        "describe_resource" => ("Look at a place", "Ver un lugar"),
        "check_resource" => ("Check a place", "Comprobar un lugar"),
        "list_runs" => ("Look at the runs", "Ver las ejecuciones"),
        "sync_resource" | "things sync" => ("Sync a place", "Sincronizar un lugar"),
        "cancel_run" => ("Cancel a run", "Cancelar una ejecución"),
        "connect_resource" | "things add" => ("Connect a place", "Conectar un lugar"),
        _ => return None,
    };
    Some(match language {
        Language::English => english,
        Language::Spanish => spanish,
    })
}

const SCOPES: &[ScopeFace] = &[
    ScopeFace {
        name: "things:read",
        allows: |language| match language {
            Language::English => "Search your files and read their text",
            Language::Spanish => "Buscar en tus archivos y leer su texto",
        },
        tools: &["search_things", "get_thing"],
        starts_unticked: false,
        is_required: false,
    },
    ScopeFace {
        name: "things:write",
        allows: |language| match language {
            Language::English => "Have single files analyzed again",
            Language::Spanish => "Hacer que se vuelvan a analizar archivos sueltos",
        },
        tools: &["analyze_thing"],
        starts_unticked: false,
        is_required: false,
    },
    ScopeFace {
        name: "resources:read",
        allows: |language| match language {
            Language::English => {
                "See the places your files are in, whether they answer, and what is being done"
            }
            Language::Spanish => {
                "Ver los lugares donde están tus archivos, si responden y qué se está haciendo"
            }
        },
        tools: &["list_resources", "describe_resource", "check_resource", "list_runs"],
        starts_unticked: false,
        is_required: false,
    },
    ScopeFace {
        name: "resources:command",
        allows: |language| match language {
            Language::English => "Have places synced, and stop what is being done",
            Language::Spanish => "Sincronizar lugares y detener lo que se está haciendo",
        },
        tools: &["sync_resource", "cancel_run"],
        starts_unticked: true,
        is_required: false,
    },
];
