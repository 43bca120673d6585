//! The second step of signing in, where a person asks for one.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::second_factors::{self, Method, VerifyError};
use stoa_identity::sessions::{self, Awaited};
use stoa_store::audit::Status;

use crate::respond::{Fault, page_with, see_other, signed_in};
use crate::shell::Shell;
use crate::visitor::{Visitor, next_path, sign_in_path};
use crate::web::Web;

#[derive(Template)]
#[template(path = "second_factor.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<String>,
    next: &'a str,
    email: String,
    has_app: bool,
    has_passkeys: bool,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    next: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    next: Option<String>,
    #[serde(default)]
    code: String,
}

/// `GET /sign-in/code`.
pub(crate) async fn show(
    State(web): State<Web>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let next = next_path(asked.next.as_deref());
    shown(&web, &visitor, next, StatusCode::OK, None).await
}

/// The page, for whoever has done the first step.
async fn shown(
    web: &Web,
    visitor: &Visitor,
    next: &str,
    status: StatusCode,
    problem: Option<String>,
) -> Result<Response, Fault> {
    let cookie = visitor.cookie.as_deref().unwrap_or_default();
    let Some(Awaited { account, email }) = sessions::awaiting_second_factor(web.door(), cookie).await? else {
        return Ok(see_other(&sign_in_path(next)));
    };
    let has_app = second_factors::status(web.door(), account).await?.method == Some(Method::Totp);
    let (shell, has_passkeys) = (Shell::open(visitor), super::has_passkeys(web));
    Ok(page_with(status, &Page { shell, problem, next, email: email.to_string(), has_app, has_passkeys }))
}

/// `POST /sign-in/code`.
pub(crate) async fn enter(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let next = next_path(filled.next.as_deref());
    let cookie = visitor.cookie.as_deref().unwrap_or_default();
    let act = visitor.house_act(&web, "sign in with a second factor", json!({}));
    let session = second_factors::verify(web.door(), &act, cookie, &filled.code, &visitor.visit).await;
    let texts = &visitor.language.texts().sign_in;
    let (status, problem) = match session {
        Ok(session) => return Ok(signed_in(&web, &session, next)),
        Err(VerifyError::Store(error)) => return Err(error.into()),
        Err(VerifyError::NotWaiting) => {
            act.let_go();
            return Ok(see_other(&sign_in_path(next)));
        }
        Err(VerifyError::TooMany { after }) => {
            act.let_go();
            (StatusCode::TOO_MANY_REQUESTS, texts.wait(after))
        }
        Err(_) => (StatusCode::UNAUTHORIZED, texts.code_refused.to_owned()),
    };
    act.close(Status::Denied, Some("second_factor_refused")).await?;
    shown(&web, &visitor, next, status, Some(problem)).await
}
