//! The token endpoint (RFC 6749 section 3.2) and revocation (RFC 7009).

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::header::{AUTHORIZATION, PRAGMA};
use http::{HeaderMap, StatusCode};
use serde_json::json;
use stoa_identity::oauth::TokenError;
use stoa_identity::{Parameters, Sighting, Step, TokenAnswer};

use super::Here;
use crate::respond::Fault;
use crate::visitor::Visitor;
use crate::web::Web;

/// `POST {base}/oauth/token`.
pub(crate) async fn token(
    State(web): State<Web>,
    here: Here,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let parameters = parameters(&headers, &body);
    let answer = web.oauth().token(&here.profile, &parameters, &visitor.visit).await;
    let refreshes = parameters.one("grant_type") == Ok(Some("refresh_token"));
    let step = if refreshes { Step::Refresh } else { Step::Token };
    note(&web, &here, &visitor, step, &parameters, answer.as_ref().err()).await;
    match answer {
        Ok(answer) => Ok(granted(&answer)),
        Err(error) => refused(error),
    }
}

/// `POST {base}/oauth/revoke`.
pub(crate) async fn revoke(
    State(web): State<Web>,
    here: Here,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let parameters = parameters(&headers, &body);
    let answer = web.oauth().revoke(&here.profile, &parameters, &visitor.visit).await;
    note(&web, &here, &visitor, Step::Revocation, &parameters, answer.as_ref().err()).await;
    match answer {
        Ok(()) => Ok(StatusCode::OK.into_response()),
        Err(error) => refused(error),
    }
}

/// The form. Some public clients name themselves in the header that is for clients with a secret, and leave the secret
/// empty (RFC 6749 section 2.3.1): the name counts as if it stood in the form.
fn parameters(headers: &HeaderMap, body: &[u8]) -> Parameters {
    let form: Vec<(String, String)> = url::form_urlencoded::parse(body).into_owned().collect();
    let named = form.iter().any(|(name, _)| name == "client_id");
    let basic = if named { None } else { basic_client(headers) };
    form.into_iter().chain(basic.map(|client| ("client_id".to_owned(), client))).collect()
}

fn basic_client(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = BASE64_STANDARD.decode(encoded.trim()).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let (client, _secret) = text.split_once(':')?;
    // Both halves are form-encoded before they are joined.
    url::form_urlencoded::parse(format!("c={client}").as_bytes())
        .next()
        .map(|(_, client)| client.into_owned())
}

fn granted(answer: &TokenAnswer) -> Response {
    let body = json!({
        "access_token": answer.access_token.expose(),
        "token_type": "Bearer",
        "expires_in": answer.expires_in.as_secs(),
        "refresh_token": answer.refresh_token.expose(),
        "scope": answer.scope.to_string(),
    });
    ([(PRAGMA, "no-cache")], Json(body)).into_response()
}

fn refused(error: TokenError) -> Result<Response, Fault> {
    let status = match error {
        TokenError::Store(error) => return Err(error.into()),
        TokenError::InvalidClient => StatusCode::UNAUTHORIZED,
        _ => StatusCode::BAD_REQUEST,
    };
    let body = json!({ "error": error.code().as_str(), "error_description": error.to_string() });
    Ok((status, [(PRAGMA, "no-cache")], Json(body)).into_response())
}

async fn note(
    web: &Web,
    here: &Here,
    visitor: &Visitor,
    step: Step,
    parameters: &Parameters,
    error: Option<&TokenError>,
) {
    let client = parameters.one("client_id").ok().flatten();
    let code = error.map(|error| error.code().as_str());
    here.note(web, visitor, Sighting { step, client, installation: None, code }).await;
}
