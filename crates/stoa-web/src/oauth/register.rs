//! Registration (RFC 7591).

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;
use serde_json::json;
use stoa_identity::oauth::RegisterError;
use stoa_identity::{ClientMetadata, Sighting, Step};

use super::Here;
use crate::respond::Fault;
use crate::visitor::Visitor;
use crate::web::Web;

/// `POST {base}/oauth/register`.
pub(crate) async fn register(
    State(web): State<Web>,
    here: Here,
    visitor: Visitor,
    body: Bytes,
) -> Result<Response, Fault> {
    let metadata: ClientMetadata = match serde_json::from_slice(&body) {
        Ok(metadata) => metadata,
        Err(error) => {
            note(&web, &here, &visitor, None, Some("invalid_client_metadata")).await;
            return Ok(refused(StatusCode::BAD_REQUEST, "invalid_client_metadata", &error.to_string()));
        }
    };
    let registered = web.oauth().register(&here.profile.mount, &metadata, &visitor.visit).await;
    let name = metadata.client_name.as_deref();
    note(&web, &here, &visitor, name, registered.as_ref().err().map(RegisterError::code)).await;
    Ok(match registered {
        Ok(registration) => (StatusCode::CREATED, Json(registration)).into_response(),
        Err(RegisterError::Store(error)) => return Err(error.into()),
        Err(error @ RegisterError::TooMany) => {
            let answer = refused(StatusCode::TOO_MANY_REQUESTS, error.code(), &error.to_string());
            ([(RETRY_AFTER, "3600")], answer).into_response()
        }
        Err(error) => refused(StatusCode::BAD_REQUEST, error.code(), &error.to_string()),
    })
}

async fn note(web: &Web, here: &Here, visitor: &Visitor, client: Option<&str>, code: Option<&str>) {
    here.note(web, visitor, Sighting { step: Step::Registration, client, installation: None, code }).await;
}

fn refused(status: StatusCode, code: &str, description: &str) -> Response {
    (status, Json(json!({ "error": code, "error_description": description }))).into_response()
}
