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
    let paths = OAuthPaths::of(service);
    let consent = format!("{}{{handle}}", OAuthPaths::CONSENT);
    vec![
        Route::new(paths.authorize, Open, get(authorize::authorize)),
        Route::new(consent, Person, get(consent::show).post(consent::decide)),
        Route::new(paths.register, Program, post(register::register)),
        Route::new(paths.token, Program, post(token::token)),
        Route::new(paths.revoke, Program, post(token::revoke)),
    ]
}
