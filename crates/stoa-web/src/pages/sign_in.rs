//! Signing in: here with a password, [`passkey`] and [`oidc`] without; [`code`] is the second step.

pub(crate) mod code;
pub(crate) mod oidc;
pub(crate) mod passkey;

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::{Email, NewSession, SignInError, passwords, sessions};
use stoa_store::audit::{Act, Status};

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
    is_again: bool,
    has_passkeys: bool,
    /// What people know the OpenID provider as, where there is one, and the way to it.
    provider: Option<(&'a str, String)>,
    can_mail: bool,
}

impl<'a> Page<'a> {
    /// The page for whoever goes on to `next` then.
    fn new(web: &'a Web, visitor: &Visitor, next: &'a str, is_again: bool) -> Self {
        Self {
            shell: Shell::open(visitor),
            problem: None,
            next,
            email: "",
            is_again,
            has_passkeys: has_passkeys(web),
            provider: web.provider().map(|provider| (provider.name(), oidc::path(next, is_again))),
            can_mail: web.mailer().is_some(),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    next: Option<String>,
    /// Whether somebody who is signed in is to do it once more.
    again: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    next: Option<String>,
    again: Option<String>,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

/// `GET /sign-in`. Who is signed in goes on at once, unless they are asked for it again.
pub(crate) async fn show(
    State(web): State<Web>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let next = next_path(asked.next.as_deref());
    let person = visitor.person(&web).await?;
    let is_again = asked.again.is_some() && person.is_some();
    let email = person.map(|person| person.email);
    if email.is_some() && !is_again {
        return Ok(see_other(next));
    }
    let email = email.as_ref().map_or("", Email::as_str);
    Ok(page(&Page { email, ..Page::new(&web, &visitor, next, is_again) }))
}

/// Whether there can be passkeys at the public URL.
pub(super) fn has_passkeys(web: &Web) -> bool {
    web.door().relying_party.is_some()
}

/// `POST /sign-in`.
pub(crate) async fn enter(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let next = next_path(filled.next.as_deref());
    match try_password(&web, &visitor, &filled).await? {
        Ok(session) => {
            end_before(&web, &visitor).await?;
            let code = code_path(next);
            Ok(signed_in(&web, &session, if session.needs_second_factor { &code } else { next }))
        }
        Err(refused) => {
            let (status, problem) = said(&visitor, refused)?;
            let (problem, email) = (Some(problem), filled.email.as_str());
            let page = Page::new(&web, &visitor, next, filled.again.is_some());
            Ok(page_with(status, &Page { problem, email, ..page }))
        }
    }
}

/// Ends the session that the browser had before it began another: nobody holds its cookie any more.
pub(super) async fn end_before(web: &Web, visitor: &Visitor) -> Result<(), Fault> {
    let Some(before) = visitor.person(web).await? else { return Ok(()) };
    let act = visitor.house_act(web, "sign out", json!({}));
    act.is_of(before.account);
    if !sessions::end(web.door(), &act, &before, before.session).await? {
        act.close(Status::Ok, None).await?;
    }
    Ok(())
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
    refused(&act, session.as_ref().err()).await?;
    Ok(session)
}

/// Ends the act of somebody who was not signed in.
async fn refused(act: &Act, why: Option<&SignInError>) -> Result<(), Fault> {
    match why {
        None => {}
        Some(SignInError::TooMany { .. } | SignInError::NotWaiting) => act.let_go(),
        Some(_) => act.close(Status::Denied, Some("sign_in_refused")).await?,
    }
    Ok(())
}

fn said(visitor: &Visitor, refused: SignInError) -> Result<(StatusCode, String), Fault> {
    let texts = &visitor.language.texts().sign_in;
    Ok(match refused {
        SignInError::Refused | SignInError::NotWaiting => {
            (StatusCode::UNAUTHORIZED, texts.refused.to_owned())
        }
        SignInError::TooMany { after } => (StatusCode::TOO_MANY_REQUESTS, texts.wait(after)),
        SignInError::Hashing(_) => (StatusCode::SERVICE_UNAVAILABLE, texts.busy.to_owned()),
        SignInError::Store(error) => return Err(error.into()),
    })
}

/// Where the second step is asked for, before going on to `next`.
pub(super) fn code_path(next: &str) -> String {
    sign_in_path(next).replacen("/sign-in", "/sign-in/code", 1)
}
