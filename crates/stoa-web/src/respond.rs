//! Answers: pages, ways on, faults.

use askama::Template;
use axum::Extension;
use axum::response::{Html, IntoResponse, Response};
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};
use stoa_identity::NewSession;
use stoa_store::StoreError;

use crate::cookies::Jar;
use crate::web::Web;

/// A page.
pub fn page(template: &impl Template) -> Response {
    page_with(StatusCode::OK, template)
}

/// A page that says what was wrong.
pub fn page_with(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => Fault::Template(error).into_response(),
    }
}

/// On to another page, which is asked for with GET (RFC 9110 section 15.4.4).
#[must_use]
pub fn see_other(path: &str) -> Response {
    match HeaderValue::from_str(path) {
        Ok(location) => (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// On to `next`, with the cookie of the session.
pub(crate) fn signed_in(web: &Web, session: &NewSession, next: &str) -> Response {
    with_session(web, session, see_other(next))
}

/// The answer, with the cookie of the session.
pub(crate) fn with_session(web: &Web, session: &NewSession, mut response: Response) -> Response {
    let (secret, now) = (session.secret.expose(), web.ambient().now());
    web.cookies().set(response.headers_mut(), Jar::Session, secret, now, session.expires_at);
    response
}

/// A fault of ours.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A page could not be written.
    #[error("page: {0}")]
    Template(#[from] askama::Error),
    /// Something else.
    #[error("{0}")]
    Other(String),
}

/// What of a fault goes with the answer, until it has its incident.
#[derive(Clone)]
pub(crate) struct Faulty(pub String);

impl IntoResponse for Fault {
    /// The log gets the cause and the person the incident in [`crate::guard::incidents`].
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, Extension(Faulty(self.to_string()))).into_response()
    }
}
