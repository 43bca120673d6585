//! Every route, and what it passes.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get, post};
use stoa_site::{ALL, OAuthPaths};

use crate::web::Web;
use crate::{assets, guard, oauth, pages};

/// The largest form, in bytes.
const FORM_BYTES: usize = 64 * 1024;

/// The bases of all mounts, as axum's patterns, each with its service.
fn bases(web: &Web) -> Vec<(String, &'static str)> {
    let services = web.faces().iter().map(|face| (format!("/{}", face.name), face.name));
    let bases = std::iter::once((String::new(), ALL)).chain(services);
    bases
        .flat_map(|(base, service)| [(base.clone(), service), (format!("/w/{{workspace}}{base}"), service)])
        .collect()
}

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// A page for everybody.
    Open,
    /// A page of a person who is signed in.
    Person,
    /// What a page of a person's sends.
    Form,
    /// What a program sends to an authorization server.
    Program,
}

/// Where a request waits for its person ([`OAuthPaths::CONSENT`]), as axum's pattern.
const CONSENT: &str = "/oauth/consent/{handle}";

/// The house's own pages.
const PAGES: [(&str, RouteKind); 10] = [
    ("/", RouteKind::Person),
    ("/setup", RouteKind::Open),
    ("/reset", RouteKind::Open),
    ("/sign-in", RouteKind::Open),
    ("/sign-in/code", RouteKind::Open),
    ("/sign-out", RouteKind::Form),
    ("/language", RouteKind::Open),
    ("/agents", RouteKind::Person),
    ("/agents/{id}/end", RouteKind::Form),
    ("/diagnosis", RouteKind::Person),
];

/// Every route but those of documents that are public, as axum's patterns.
#[must_use]
pub fn routes(web: &Web) -> Vec<(String, RouteKind)> {
    let own = PAGES.iter().map(|(path, kind)| ((*path).to_owned(), *kind));
    let mounts = bases(web).into_iter().flat_map(|(base, service)| {
        let paths = OAuthPaths::of(service);
        [
            (paths.authorize, RouteKind::Open),
            (CONSENT, RouteKind::Person),
            (paths.register, RouteKind::Program),
            (paths.token, RouteKind::Program),
            (paths.revoke, RouteKind::Program),
        ]
        .map(|(path, kind)| (format!("{base}{path}"), kind))
    });
    own.chain(mounts).collect()
}

/// The router of all [`routes`] and of the authorization servers' documents. To be merged with the endpoint's;
/// served with connection info, or no address is known.
pub fn router(web: Web) -> Router {
    let pages = Router::new()
        .route("/", get(pages::home::show))
        .route("/setup", get(pages::setup::show).post(pages::setup::make))
        .route("/reset", get(pages::reset::show).post(pages::reset::set))
        .route("/sign-in", get(pages::sign_in::show).post(pages::sign_in::enter))
        .route("/sign-in/code", get(pages::sign_in::show_code).post(pages::sign_in::enter_code))
        .route("/sign-out", post(pages::sign_out::leave))
        .route("/language", post(pages::language::choose))
        .route("/agents", get(pages::agents::show))
        .route("/agents/{id}/end", post(pages::agents::end))
        .route("/diagnosis", get(pages::diagnosis::show));
    let pages = bases(&web).into_iter().fold(pages, |pages, (base, service)| {
        let paths = OAuthPaths::of(service);
        pages
            .route(&format!("{base}{}", paths.authorize), get(oauth::authorize::authorize))
            .route(&format!("{base}{CONSENT}"), get(oauth::consent::show).post(oauth::consent::decide))
    });
    let pages = pages.layer(from_fn_with_state(web.clone(), guard::own_pages));
    let programs = bases(&web).into_iter().fold(Router::new(), |programs, (base, service)| {
        let paths = OAuthPaths::of(service);
        programs
            .route(&format!("{base}{}", paths.register), post(oauth::register::register))
            .route(&format!("{base}{}", paths.token), post(oauth::token::token))
            .route(&format!("{base}{}", paths.revoke), post(oauth::token::revoke))
            .route(&format!("{base}/.well-known/oauth-authorization-server"), any(oauth::metadata::show))
            .route(&format!("{base}/.well-known/openid-configuration"), any(oauth::metadata::show))
    });
    let documents = ["oauth-authorization-server", "openid-configuration"];
    let programs = documents.iter().fold(programs, |programs, document| {
        programs.route(&format!("/.well-known/{document}/{{*base}}"), any(oauth::metadata::show))
    });
    pages
        .merge(programs)
        .route("/assets/{name}", get(assets::serve))
        .fallback(pages::trouble::not_found)
        .layer(DefaultBodyLimit::max(FORM_BYTES))
        .layer(from_fn_with_state(web.clone(), guard::incidents))
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(web.clone(), guard::hosts))
        .with_state(web)
}
