//! The authorization server of every mount: its documents, the endpoints that programs call, and the page where a
//! person says yes. What is right is decided by [`stoa_identity::OAuth`]; here it is read and said.

pub(crate) mod authorize;
pub(crate) mod consent;
mod here;
pub(crate) mod metadata;
pub(crate) mod register;
pub(crate) mod token;

use axum::routing::{get, post};
pub(crate) use here::Here;
use stoa_site::OAuthPaths;

use crate::route::Route;
use crate::route::RouteKind::{Open, Person, Program};

/// The routes of a service's authorization server, under the base of its mount.
pub(crate) fn routes(service: &str) -> Vec<Route> {
    pages([OAuthPaths::of(service).authorize]).chain(programs(service)).collect()
}

/// The pages of authorization servers whose authorization endpoint is at one of these.
pub(crate) fn pages<'a>(endpoints: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = Route> {
    let consent = format!("{}{{handle}}", OAuthPaths::CONSENT);
    let consent = Route::new(consent, Person, get(consent::show).post(consent::decide));
    let authorize = endpoints.into_iter().map(|path| Route::new(path, Open, get(authorize::authorize)));
    authorize.chain([consent])
}

/// What programs ask a service's authorization server, under the base of its mount.
fn programs(service: &str) -> [Route; 3] {
    let paths = OAuthPaths::of(service);
    [
        Route::new(paths.register, Program, post(register::register)),
        Route::new(paths.token, Program, post(token::token)),
        Route::new(paths.revoke, Program, post(token::revoke)),
    ]
}
