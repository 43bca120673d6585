//! A new password or passkey, with the link that was mailed, or that `stoa account reset` prints.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::resets::{self, RedeemResetError};
use stoa_store::audit::Status;

use super::setup::{Way, not_a_password};
use super::sign_in::{code_path, has_passkeys};
use crate::respond::{Fault, page, page_with, signed_in};
use crate::shell::Shell;
use crate::visitor::Visitor;
use crate::web::Web;

#[derive(Template)]
#[template(path = "reset.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<String>,
    secret: &'a str,
    has_passkeys: bool,
    can_mail: bool,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    secret: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    way: Way,
}

/// `GET /reset`.
pub(crate) async fn show(State(web): State<Web>, visitor: Visitor) -> Response {
    let (shell, has_passkeys, can_mail) = (Shell::open(&visitor), has_passkeys(&web), web.mailer().is_some());
    page(&Page { shell, problem: None, secret: "", has_passkeys, can_mail })
}

/// `POST /reset`. Where the person asks for a second factor, it is asked for next.
pub(crate) async fn set(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let texts = visitor.language.texts();
    let act = visitor.house_act(&web, "reset", json!({}));
    let (password, next) = (filled.way.password(&filled.password), filled.way.next());
    let problem = match resets::redeem(web.door(), &act, &filled.secret, password, &visitor.visit).await {
        Ok(session) if session.needs_second_factor => {
            return Ok(signed_in(&web, &session, &code_path(next)));
        }
        Ok(session) => return Ok(signed_in(&web, &session, next)),
        Err(RedeemResetError::NotGood) => {
            act.let_go();
            texts.reset.not_good.to_owned()
        }
        Err(RedeemResetError::Password(problem)) => not_a_password(&texts.setup, problem).to_owned(),
        Err(RedeemResetError::Hashing(_)) => texts.sign_in.busy.to_owned(),
        Err(RedeemResetError::Store(error)) => return Err(error.into()),
    };
    act.close(Status::Denied, Some("reset_refused")).await?;
    let (shell, secret, has_passkeys) = (Shell::open(&visitor), filled.secret.as_str(), has_passkeys(&web));
    let (problem, can_mail) = (Some(problem), web.mailer().is_some());
    Ok(page_with(StatusCode::BAD_REQUEST, &Page { shell, problem, secret, has_passkeys, can_mail }))
}
