//! Asking for a link for a new password. The answer is the same whoever has the address, or nobody; what there is to
//! be done is done after it, so that not even its time tells.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::Email;
use stoa_identity::resets::{self, AskResetError};
use stoa_store::StoreError;
use stoa_store::audit::{Act, Status};

use super::trouble::not_found;
use crate::language::Language;
use crate::mailer::{Letter, MailError, Mailer, Matter};
use crate::respond::{Fault, page, page_with};
use crate::shell::Shell;
use crate::visitor::Visitor;
use crate::web::Web;

#[derive(Template)]
#[template(path = "forgot.html")]
struct Page {
    shell: Shell,
    problem: Option<String>,
    is_asked: bool,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    email: String,
}

/// Why no link was mailed, other than that there is nobody to mail it to.
#[derive(Debug, thiserror::Error)]
enum Unmailed {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Mail(#[from] MailError),
}

/// `GET /forgot`: a page of houses that send mail.
pub(crate) async fn show(State(web): State<Web>, visitor: Visitor) -> Response {
    if web.mailer().is_none() {
        return not_found(visitor).await;
    }
    page(&Page { shell: Shell::open(&visitor), problem: None, is_asked: false })
}

/// `POST /forgot`.
pub(crate) async fn ask(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let Some(mailer) = web.mailer().cloned() else { return Ok(not_found(visitor).await) };
    let act = visitor.house_act(&web, "ask for a reset link", json!({}));
    match resets::may_ask(web.door(), &visitor.visit).await {
        Ok(()) => {
            web.later(mail(web.clone(), mailer, act, filled.email, visitor.language));
            Ok(page(&Page { shell: Shell::open(&visitor), problem: None, is_asked: true }))
        }
        Err(AskResetError::TooMany { after }) => {
            act.let_go();
            let problem = Some(visitor.language.texts().sign_in.wait(after));
            let said = Page { shell: Shell::open(&visitor), problem, is_asked: false };
            let said = page_with(StatusCode::TOO_MANY_REQUESTS, &said);
            Ok(([(RETRY_AFTER, after.as_secs() + 1)], said).into_response())
        }
        Err(AskResetError::Store(error)) => Err(error.into()),
    }
}

/// What comes after the answer. The log is told what went wrong, and not with whom.
async fn mail(web: Web, mailer: Arc<dyn Mailer>, act: Act, address: String, language: Language) {
    let sent = match letter(&web, &act, &address, language).await {
        Ok(Some(letter)) => mailer.send(&letter).await.map_err(Unmailed::from),
        Ok(None) => Ok(()),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = sent {
        tracing::error!(%error, "a reset link could not be mailed");
    }
}

/// The letter to whoever has this address. What is no address is nobody's.
async fn letter(
    web: &Web,
    act: &Act,
    address: &str,
    language: Language,
) -> Result<Option<Letter>, StoreError> {
    let code = match address.parse::<Email>() {
        Ok(to) => match resets::ask(web.door(), act, &to).await {
            Ok(Some(link)) => {
                let link = web.link("reset", &link.secret);
                let house = web.public_url().to_owned();
                return Ok(Some(Letter { to, language, house, link, about: Matter::Reset }));
            }
            Ok(None) => "not_found",
            Err(AskResetError::TooMany { .. }) => "too_many_attempts",
            Err(AskResetError::Store(error)) => return Err(error),
        },
        Err(_) => "not_found",
    };
    act.close(Status::Denied, Some(code)).await?;
    Ok(None)
}
