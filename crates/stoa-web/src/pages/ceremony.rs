//! The server's two halves of a passkey's ceremony, as the script of the pages speaks them: JSON.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use serde_json::json;
use stoa_identity::passkeys::Challenge;

use crate::cookies::Jar;
use crate::web::Web;

/// The first half: what the browser is asked, with the cookie that binds the other half to it.
pub(super) fn begun(web: &Web, challenge: &Challenge) -> Response {
    let mut response = Json(&challenge.options).into_response();
    let (secret, now) = (challenge.secret.expose(), web.ambient().now());
    web.cookies().set(response.headers_mut(), Jar::Ceremony, secret, now, challenge.expires_at);
    response
}

/// What the first half left in the browser.
pub(super) fn secret(web: &Web, headers: &HeaderMap) -> String {
    web.cookies().read(headers, Jar::Ceremony).unwrap_or_default()
}

/// The second half is done, or there is something to be done first: where the person goes on.
pub(super) fn go_on(web: &Web, next: &str) -> Response {
    let mut response = Json(json!({ "next": next })).into_response();
    web.cookies().forget(response.headers_mut(), Jar::Ceremony);
    response
}

/// Why it was refused, in words.
pub(super) fn refused(status: StatusCode, problem: &str) -> Response {
    (status, Json(json!({ "problem": problem }))).into_response()
}
