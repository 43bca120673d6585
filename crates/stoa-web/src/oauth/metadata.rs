//! What an authorization server says of itself (RFC 8414), and the same as OpenID configuration, which some clients
//! ask for first.

use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use http::{Method, StatusCode};
use serde::Serialize;
use stoa_identity::{MountProfile, Sighting, Step};
use stoa_site::{Mount, host};

use super::Here;
use crate::respond::Fault;
use crate::visitor::Visitor;
use crate::web::Web;

/// The names under which the document is asked for.
const DOCUMENTS: [&str; 2] = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

#[derive(Serialize)]
struct Document<'a> {
    issuer: &'a str,
    authorization_endpoint: String,
    token_endpoint: String,
    registration_endpoint: String,
    revocation_endpoint: String,
    scopes_supported: &'a stoa_identity::Scopes,
    response_types_supported: [&'static str; 1],
    response_modes_supported: [&'static str; 1],
    grant_types_supported: [&'static str; 2],
    token_endpoint_auth_methods_supported: [&'static str; 1],
    revocation_endpoint_auth_methods_supported: [&'static str; 1],
    code_challenge_methods_supported: [&'static str; 1],
    authorization_response_iss_parameter_supported: bool,
    client_id_metadata_document_supported: bool,
    service_documentation: String,
}

impl<'a> Document<'a> {
    fn of(mount: &Mount, profile: &'a MountProfile, takes_documents: bool) -> Self {
        let paths = mount.oauth_paths();
        Self {
            issuer: &profile.issuer,
            authorization_endpoint: mount.url(paths.authorize),
            token_endpoint: mount.url(paths.token),
            registration_endpoint: mount.url(paths.register),
            revocation_endpoint: mount.url(paths.revoke),
            scopes_supported: &profile.scopes,
            response_types_supported: ["code"],
            response_modes_supported: ["query"],
            grant_types_supported: ["authorization_code", "refresh_token"],
            token_endpoint_auth_methods_supported: ["none"],
            revocation_endpoint_auth_methods_supported: ["none"],
            code_challenge_methods_supported: ["S256"],
            authorization_response_iss_parameter_supported: true,
            client_id_metadata_document_supported: takes_documents,
            service_documentation: mount.url("/"),
        }
    }
}

/// `GET /.well-known/oauth-authorization-server/{base}` and `{base}/.well-known/oauth-authorization-server`.
pub(crate) async fn show(
    State(web): State<Web>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, Fault> {
    let (parts, _body) = request.into_parts();
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        return Ok(StatusCode::METHOD_NOT_ALLOWED.into_response());
    }
    let authority = match host::authority(&parts.uri, &parts.headers) {
        Ok(authority) => authority,
        Err(unfit) => return Ok((unfit.status(), unfit.to_string()).into_response()),
    };
    let nothing = || StatusCode::NOT_FOUND.into_response();
    let Some(base) = base(parts.uri.path()) else { return Ok(nothing()) };
    let Some(mount) = web.mounts().find_under(authority, base) else { return Ok(nothing()) };
    let Some(profile) = web.profile(&mount).await? else { return Ok(nothing()) };
    let document = Json(Document::of(&mount, &profile, web.oauth().takes_documents()));
    let answer = ([(CACHE_CONTROL, "max-age=300")], document).into_response();
    let sighting = Sighting { step: Step::Discovery, client: None, installation: None, code: None };
    Here { mount, profile }.note(&web, &visitor, sighting).await;
    Ok(answer)
}

/// The base that is meant: after the document's name (RFC 8414 section 3.1), or before it.
fn base(path: &str) -> Option<&str> {
    let inserted = DOCUMENTS.iter().find_map(|document| path.strip_prefix(document));
    let appended = || DOCUMENTS.iter().find_map(|document| path.strip_suffix(document));
    inserted.filter(|base| base.is_empty() || base.starts_with('/')).or_else(appended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_stands_after_the_documents_name_or_before_it() {
        for document in DOCUMENTS {
            assert_eq!(base(document), Some(""));
            assert_eq!(base(&format!("{document}/things")), Some("/things"));
            assert_eq!(base(&format!("/w/acme/things{document}")), Some("/w/acme/things"));
            assert_eq!(base(&format!("{document}s")), None);
        }
        assert_eq!(base("/.well-known/other"), None);
    }
}
