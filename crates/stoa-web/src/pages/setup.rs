//! Making the owner's account, with the link that the server prints.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::setup_links::{self, RedeemSetupError};
use stoa_identity::{Email, NewSession, NotAPassword};
use stoa_store::audit::Status;

use super::security::first;
use super::sign_in::has_passkeys;
use crate::respond::{Fault, page, page_with, signed_in};
use crate::shell::Shell;
use crate::texts::Setup;
use crate::visitor::Visitor;
use crate::web::Web;

#[derive(Template)]
#[template(path = "setup.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<String>,
    secret: &'a str,
    email: &'a str,
    has_passkeys: bool,
}

/// How somebody who came in by a link will sign in from now on.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Way {
    /// With the password that they chose.
    #[default]
    Password,
    /// With a passkey, which they add next.
    Passkey,
}

impl Way {
    /// The password that is set.
    pub fn password(self, chosen: &str) -> Option<&str> {
        (self == Self::Password).then_some(chosen)
    }

    /// Where the person goes on.
    pub const fn next(self) -> &'static str {
        match self {
            Self::Password => "/",
            Self::Passkey => first::PATH,
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    secret: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    way: Way,
}

/// `GET /setup`.
pub(crate) async fn show(State(web): State<Web>, visitor: Visitor) -> Response {
    let (shell, has_passkeys) = (Shell::open(&visitor), has_passkeys(&web));
    page(&Page { shell, problem: None, secret: "", email: "", has_passkeys })
}

/// `POST /setup`.
pub(crate) async fn make(
    State(web): State<Web>,
    visitor: Visitor,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    match redeem(&web, &visitor, &filled).await? {
        Ok(session) => Ok(signed_in(&web, &session, filled.way.next())),
        Err(problem) => {
            let (shell, problem, has_passkeys) = (Shell::open(&visitor), Some(problem), has_passkeys(&web));
            let (secret, email) = (filled.secret.as_str(), filled.email.as_str());
            let page = Page { shell, problem, secret, email, has_passkeys };
            Ok(page_with(StatusCode::BAD_REQUEST, &page))
        }
    }
}

async fn redeem(web: &Web, visitor: &Visitor, filled: &Filled) -> Result<Result<NewSession, String>, Fault> {
    let texts = visitor.language.texts();
    let Ok(email) = filled.email.parse::<Email>() else {
        return Ok(Err(texts.setup.not_an_email.to_owned()));
    };
    let act = visitor.house_act(web, "setup", json!({}));
    let (secret, password) = (&filled.secret, filled.way.password(&filled.password));
    let made = setup_links::redeem(web.door(), &act, secret, email, password, &visitor.visit).await;
    Ok(match made {
        Ok(session) => Ok(session),
        Err(error) => {
            match error {
                RedeemSetupError::NotGood => act.let_go(),
                _ => act.close(Status::Error, Some("setup_refused")).await?,
            }
            Err(match error {
                RedeemSetupError::NotGood => texts.setup.not_good.to_owned(),
                RedeemSetupError::Password(problem) => not_a_password(&texts.setup, problem).to_owned(),
                RedeemSetupError::Hashing(_) => texts.sign_in.busy.to_owned(),
                RedeemSetupError::Store(error) => return Err(error.into()),
            })
        }
    })
}

/// Why a password was not taken.
pub(super) const fn not_a_password(t: &Setup, problem: NotAPassword) -> &'static str {
    match problem {
        NotAPassword::TooShort => t.password_short,
        NotAPassword::TooLong => t.password_long,
        NotAPassword::Common => t.password_common,
        NotAPassword::IsTheAddress => t.password_address,
    }
}
