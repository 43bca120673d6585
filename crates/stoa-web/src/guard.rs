//! What every request of a page and of the authorization server passes: whose host and whose page it is; and what
//! every answer says to browsers.

use axum::Json;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, ORIGIN, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::json;
use stoa_base::incident::IncidentId;
use stoa_site::buckets::RetryAfter;
use stoa_site::host;

use crate::pages::sign_in::oidc::BACK;
use crate::pages::trouble;
use crate::respond::{Faulty, see_other};
use crate::visitor::Visitor;
use crate::web::Web;

/// What browsers let a page of ours do: nothing but its own sheet, script, pictures and forms; nobody frames it.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Lets a request pass that asks for one of our hosts.
pub(crate) async fn hosts(State(web): State<Web>, request: Request, next: Next) -> Response {
    let checked = host::authority(request.uri(), request.headers())
        .and_then(|authority| web.hosts().check_host(authority));
    match checked {
        Ok(()) => next.run(request).await,
        Err(unfit) => (unfit.status(), unfit.to_string()).into_response(),
    }
}

/// Leads who asks for a page at an own host to where it is: at the public URL.
pub(crate) async fn public_url(State(web): State<Web>, request: Request, next: Next) -> Response {
    let asked = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let authority = host::authority(request.uri(), request.headers()).ok();
    match authority.and_then(|authority| web.mounts().elsewhere(authority, asked)) {
        Some(url) => see_other(&url),
        None => next.run(request).await,
    }
}

/// Lets a request pass that a page of ours made, where it changes something (cross-site request forgery): its cookie
/// speaks for a person, whoever made the browser send it.
pub(crate) async fn own_pages(State(web): State<Web>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && !is_own(&web, request.headers()) {
        return (StatusCode::FORBIDDEN, "This form was not sent from a page of this server.").into_response();
    }
    next.run(request).await
}

/// Browsers say of each form where it comes from; who says nothing is no browser that holds a person's cookie.
fn is_own(web: &Web, headers: &HeaderMap) -> bool {
    let site = headers.get(FETCH_SITE).map(|site| site == "same-origin");
    let origin = headers
        .get(ORIGIN)
        .map(|origin| origin.to_str().is_ok_and(|it| web.hosts().check_origin(it).is_ok()));
    match (site, origin) {
        (Some(site), Some(origin)) => site && origin,
        (Some(known), None) | (None, Some(known)) => known,
        (None, None) => false,
    }
}

/// Lets a program ask an authorization server, unless too much comes from its address (RFC 6585 section 4).
pub(crate) async fn flood(
    State(web): State<Web>,
    visitor: Visitor,
    request: Request,
    next: Next,
) -> Response {
    let Err(RetryAfter { seconds }) = visitor.ask(&web) else { return next.run(request).await };
    let said = json!({
        "error": "temporarily_unavailable",
        "error_description": format!("too many requests from this address; try again in {seconds} s"),
    });
    (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, seconds)], Json(said)).into_response()
}

/// Lets anybody send something to a page, unless too much comes from their address.
pub(crate) async fn open_flood(
    State(web): State<Web>,
    visitor: Visitor,
    request: Request,
    next: Next,
) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD) && request.uri().path() != BACK;
    if reads {
        return next.run(request).await;
    }
    let Err(RetryAfter { seconds }) = visitor.ask(&web) else { return next.run(request).await };
    let said = visitor.language.texts().trouble.too_fast;
    let mut response = trouble::plain(&visitor, StatusCode::TOO_MANY_REQUESTS, said);
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response
}

/// Gives a fault of ours its incident: the log has the cause, the person what to look for there.
pub(crate) async fn incidents(State(web): State<Web>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(Faulty(error)) = response.extensions_mut().remove() else { return response };
    let incident = IncidentId::new(web.ambient());
    tracing::error!(%incident, error, "a page could not be answered");
    let text = format!("Something went wrong here. The server's log says what, at incident {incident}.");
    (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
}

/// Says to browsers what a page may do, unless it was said already.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not `no-referrer`, which would make browsers send `Origin: null` with our own forms.
        (REFERRER_POLICY, "same-origin"),
        (OPENER_POLICY, "same-origin"),
        (CACHE_CONTROL, "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
