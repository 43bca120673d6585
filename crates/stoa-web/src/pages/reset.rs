//! A new password, with the link that `stoa account reset` prints.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::resets::{self, RedeemResetError};
use stoa_store::audit::Status;

use super::setup::not_a_password;
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
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    secret: String,
    #[serde(default)]
    password: String,
}

/// `GET /reset`.
pub(crate) async fn show(visitor: Visitor) -> Response {
    page(&Page { shell: Shell::open(&visitor), problem: None, secret: "" })
}

/// `POST /reset`. Where the person asks for a second factor, it is asked for next.
pub(crate) async fn set(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let texts = visitor.language.texts();
    let act = visitor.house_act(&web, "reset", json!({}));
    let password = Some(filled.password.as_str());
    let problem = match resets::redeem(web.door(), &act, &filled.secret, password, &visitor.visit).await {
        Ok(session) if session.needs_second_factor => return Ok(signed_in(&web, &session, "/sign-in/code")),
        Ok(session) => return Ok(signed_in(&web, &session, "/")),
        Err(RedeemResetError::NotGood) => texts.reset.not_good.to_owned(),
        Err(RedeemResetError::Password(problem)) => not_a_password(&texts.setup, problem).to_owned(),
        Err(RedeemResetError::Hashing(_)) => texts.sign_in.busy.to_owned(),
        Err(RedeemResetError::Store(error)) => return Err(error.into()),
    };
    act.close(Status::Denied, Some("reset_refused")).await?;
    let (shell, secret) = (Shell::open(&visitor), filled.secret.as_str());
    Ok(page_with(StatusCode::BAD_REQUEST, &Page { shell, problem: Some(problem), secret }))
}
