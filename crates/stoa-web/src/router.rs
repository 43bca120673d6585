//! Every route, and what it passes.

use std::collections::BTreeSet;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use stoa_site::{ALL, AT, OAuthPaths};

use crate::route::{Route, RouteKind};
use crate::web::Web;
use crate::{assets, guard, oauth, pages};

/// The largest form, in bytes.
const FORM_BYTES: usize = 64 * 1024;

/// Before the paths of a workspace's pages, as axum's patterns: `default` has none.
const WORKSPACES: [&str; 2] = ["", "/w/{workspace}"];

/// The bases of all mounts, as axum's patterns, each with its service.
fn bases(web: &Web) -> Vec<(String, &'static str)> {
    let services = web.faces().iter().map(|face| (format!("/{}", face.name), face.name));
    let bases = std::iter::once((String::new(), ALL)).chain(services);
    bases.flat_map(|(base, service)| WORKSPACES.map(|before| (format!("{before}{base}"), service))).collect()
}

/// Every route but those of documents that are public.
#[must_use]
pub fn routes(web: &Web) -> Vec<Route> {
    let workspaces = WORKSPACES.into_iter().flat_map(|base| {
        let services = web.faces().iter().flat_map(move |face| {
            face.pages.iter().map(move |page| page.clone().under(&format!("{base}/{}", face.name)))
        });
        pages::of_workspace().into_iter().map(|page| page.under(base)).chain(services)
    });
    let mounts = bases(web)
        .into_iter()
        .flat_map(|(base, service)| oauth::routes(service).into_iter().map(move |route| route.under(&base)));
    pages::of_house().into_iter().chain(workspaces).chain(mounts).chain(of_own_hosts(web)).collect()
}

/// The pages of the authorization servers of own hosts, at the public URL. The endpoint's path is the service's.
fn of_own_hosts(web: &Web) -> impl Iterator<Item = Route> {
    let services = web.faces().iter().map(|face| face.name).chain([ALL]);
    let endpoints: BTreeSet<_> = services.map(|service| OAuthPaths::of(service).authorize).collect();
    oauth::pages(endpoints).map(|page| page.under(&format!("{AT}{{host}}")))
}

/// The router of all [`routes`] and of the authorization servers' documents. To be merged with the endpoint's;
/// served with connection info, or no address is known.
pub fn router(web: Web) -> Router {
    let (programs, pages): (Vec<Route>, Vec<Route>) =
        routes(&web).into_iter().partition(|route| route.kind == RouteKind::Program);
    let (open, pages): (Vec<Route>, Vec<Route>) =
        pages.into_iter().partition(|route| route.kind == RouteKind::Open);
    let open = of(open).layer(from_fn_with_state(web.clone(), guard::open_flood));
    let pages = of(pages)
        .merge(open)
        .layer(from_fn_with_state(web.clone(), guard::own_pages))
        .layer(from_fn_with_state(web.clone(), guard::public_url));
    let programs = of(programs).layer(from_fn_with_state(web.clone(), guard::flood));
    pages
        .merge(programs)
        .merge(documents(&web).layer(from_fn_with_state(web.clone(), guard::flood)))
        .route("/assets/{name}", get(assets::serve))
        .fallback(pages::trouble::not_found)
        .layer(DefaultBodyLimit::max(FORM_BYTES))
        .layer(from_fn_with_state(web.clone(), guard::incidents))
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(web.clone(), guard::hosts))
        .with_state(web)
}

fn of(routes: Vec<Route>) -> Router<Web> {
    routes.into_iter().fold(Router::new(), |router, route| router.route(&route.path, route.methods))
}

/// The metadata of the authorization servers, at each place where clients look (RFC 8414 section 3).
fn documents(web: &Web) -> Router<Web> {
    let names = ["oauth-authorization-server", "openid-configuration"];
    names.into_iter().fold(Router::new(), |router, name| {
        let inserted = router.route(&format!("/.well-known/{name}/{{*base}}"), any(oauth::metadata::show));
        bases(web).into_iter().fold(inserted, |router, (base, _)| {
            router.route(&format!("{base}/.well-known/{name}"), any(oauth::metadata::show))
        })
    })
}
