//! Choosing another password, or a first one.

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::passwords::{self, ChangePasswordError};

use super::done;
use super::refusal::Refusal;
use crate::pages::setup::not_a_password;
use crate::respond::Fault;
use crate::visitor::Guest;
use crate::web::Web;

pub(super) const CHANGED: &str = "password-changed";

#[derive(Deserialize)]
pub(super) struct Filled {
    #[serde(default)]
    current: String,
    #[serde(default)]
    password: String,
}

/// `POST /security/password`.
pub(super) async fn change(
    State(web): State<Web>,
    guest: Guest,
    Form(Filled { current, password }): Form<Filled>,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "change password", json!({}));
    let (door, visit) = (web.door(), &guest.visitor.visit);
    match passwords::change(door, &act, &guest.person, &current, &password, visit).await {
        Ok(()) => Ok(done(CHANGED)),
        Err(error) => refusal(&guest, error)?.show(&web, &guest, &act).await,
    }
}

fn refusal(guest: &Guest, error: ChangePasswordError) -> Result<Refusal, Fault> {
    let texts = guest.visitor.language.texts();
    Ok(match error {
        ChangePasswordError::WrongPassword => {
            Refusal::new(StatusCode::UNAUTHORIZED, "wrong_password", texts.security.wrong_password)
        }
        ChangePasswordError::TooMany { after } => {
            let problem = texts.sign_in.wait(after);
            Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", problem)
        }
        ChangePasswordError::NotFresh(_) => Refusal::not_fresh(),
        ChangePasswordError::Password(problem) => {
            let problem = not_a_password(&texts.setup, problem);
            Refusal::new(StatusCode::BAD_REQUEST, "no_good_password", problem)
        }
        ChangePasswordError::Hashing(_) => {
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", texts.sign_in.busy)
        }
        ChangePasswordError::Store(error) => return Err(error.into()),
    })
}
