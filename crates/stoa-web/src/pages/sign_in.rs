//! Signing in with a password, and the second step where a person asks for one.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::second_factors::{self, VerifyError};
use stoa_identity::{Email, NewSession, SignInError, passwords, sessions};
use stoa_store::audit::Status;

use crate::respond::{Fault, page, page_with, see_other, signed_in};
use crate::shell::Shell;
use crate::visitor::{Visitor, next_path, sign_in_path};
use crate::web::Web;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<String>,
    next: &'a str,
    email: &'a str,
}

#[derive(Template)]
#[template(path = "second_factor.html")]
struct CodePage<'a> {
    shell: Shell,
    problem: Option<&'a str>,
    next: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    next: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    next: Option<String>,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

#[derive(Deserialize)]
pub(crate) struct FilledCode {
    next: Option<String>,
    #[serde(default)]
    code: String,
}

/// `GET /sign-in`. Who is signed in goes on at once.
pub(crate) async fn show(
    State(web): State<Web>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let next = next_path(asked.next.as_deref());
    if visitor.person(&web).await?.is_some() {
        return Ok(see_other(next));
    }
    Ok(page(&Page { shell: Shell::open(&visitor), problem: None, next, email: "" }))
}

/// `POST /sign-in`.
pub(crate) async fn enter(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let next = next_path(filled.next.as_deref());
    match try_password(&web, &visitor, &filled).await? {
        Ok(session) if session.needs_second_factor => Ok(signed_in(&web, &session, &code_path(next))),
        Ok(session) => Ok(signed_in(&web, &session, next)),
        Err(refused) => {
            let (status, problem) = said(&visitor, refused)?;
            let (shell, email) = (Shell::open(&visitor), filled.email.as_str());
            Ok(page_with(status, &Page { shell, problem: Some(problem), next, email }))
        }
    }
}

async fn try_password(
    web: &Web,
    visitor: &Visitor,
    filled: &Filled,
) -> Result<Result<NewSession, SignInError>, Fault> {
    // What is no address is nobody's.
    let Ok(email) = filled.email.parse::<Email>() else { return Ok(Err(SignInError::Refused)) };
    let act = visitor.house_act(web, "sign in", json!({}));
    let session = passwords::sign_in(web.door(), &act, &email, &filled.password, &visitor.visit).await;
    if let Err(refused) = &session {
        let code = match refused {
            SignInError::TooMany { .. } => "too_many_attempts",
            _ => "sign_in_refused",
        };
        act.close(Status::Denied, Some(code)).await?;
    }
    Ok(session)
}

fn said(visitor: &Visitor, refused: SignInError) -> Result<(StatusCode, String), Fault> {
    let texts = &visitor.language.texts().sign_in;
    Ok(match refused {
        SignInError::Refused => (StatusCode::UNAUTHORIZED, texts.refused.to_owned()),
        SignInError::TooMany { after } => {
            (StatusCode::TOO_MANY_REQUESTS, (texts.too_many)(after.as_secs() + 1))
        }
        SignInError::Hashing(_) => (StatusCode::SERVICE_UNAVAILABLE, texts.busy.to_owned()),
        SignInError::Store(error) => return Err(error.into()),
    })
}

fn code_path(next: &str) -> String {
    sign_in_path(next).replacen("/sign-in", "/sign-in/code", 1)
}

/// `GET /sign-in/code`.
pub(crate) async fn show_code(
    State(web): State<Web>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let next = next_path(asked.next.as_deref());
    let cookie = visitor.cookie.as_deref().unwrap_or_default();
    if sessions::awaiting_second_factor(web.door(), cookie).await?.is_none() {
        return Ok(see_other(&sign_in_path(next)));
    }
    Ok(page(&CodePage { shell: Shell::open(&visitor), problem: None, next }))
}

/// `POST /sign-in/code`.
pub(crate) async fn enter_code(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<FilledCode>,
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
            act.close(Status::Denied, Some("nothing_waits")).await?;
            return Ok(see_other(&sign_in_path(next)));
        }
        Err(VerifyError::TooMany { after }) => {
            (StatusCode::TOO_MANY_REQUESTS, (texts.too_many)(after.as_secs() + 1))
        }
        Err(_) => (StatusCode::UNAUTHORIZED, texts.code_refused.to_owned()),
    };
    act.close(Status::Denied, Some("second_factor_refused")).await?;
    Ok(page_with(status, &CodePage { shell: Shell::open(&visitor), problem: Some(&problem), next }))
}
