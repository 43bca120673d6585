//! What is asked for on top of a password.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::second_factors::{self, Enrollment, RecoveryCodes, SecondFactorError};
use stoa_store::audit::{Act, Status};

use super::done;
use super::refusal::Refusal;
use crate::qr::Qr;
use crate::respond::{Fault, page, page_with};
use crate::shell::{Section, Shell};
use crate::visitor::Guest;
use crate::web::Web;

pub(super) const REMOVED: &str = "second-factor-removed";

#[derive(Template)]
#[template(path = "security/app.html")]
struct AppPage {
    shell: Shell,
    problem: Option<&'static str>,
    /// The secret, when it is shown for the first time and the last.
    secret: Option<Secret>,
}

struct Secret {
    text: String,
    url: String,
    qr: Option<Qr>,
}

#[derive(Template)]
#[template(path = "security/recovery_codes.html")]
struct CodesPage<'a> {
    shell: Shell,
    codes: &'a [String],
}

#[derive(Deserialize)]
pub(super) struct Confirmed {
    #[serde(default)]
    code: String,
}

/// `POST /security/second-factor/app`: the secret for an authenticator app, shown once.
pub(super) async fn begin_app(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "begin second factor", json!({}));
    match second_factors::begin_totp(web.door(), &act, &guest.person).await {
        Ok(Enrollment { secret: text, url }) => {
            let secret = Some(Secret { qr: Qr::of(&url), text, url });
            let shell = Shell::of(&web, &guest, Section::Security);
            Ok(page(&AppPage { shell, problem: None, secret }))
        }
        Err(error) => refusal(&guest, error)?.show(&web, &guest, &act).await,
    }
}

/// `POST /security/second-factor/app/confirm`. After a wrong code the next one may be tried.
pub(super) async fn confirm_app(
    State(web): State<Web>,
    guest: Guest,
    Form(Confirmed { code }): Form<Confirmed>,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "confirm second factor", json!({}));
    match second_factors::confirm_totp(web.door(), &act, &guest.person, &code).await {
        Err(SecondFactorError::WrongCode) => {
            act.close(Status::Denied, Some("wrong_code")).await?;
            let shell = Shell::of(&web, &guest, Section::Security);
            let problem = Some(shell.texts().second_factor.wrong_code);
            Ok(page_with(StatusCode::UNAUTHORIZED, &AppPage { shell, problem, secret: None }))
        }
        confirmed => codes(&web, &guest, &act, confirmed).await,
    }
}

/// `POST /security/second-factor/passkeys`.
pub(super) async fn use_passkeys(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "use passkeys as second factor", json!({}));
    let used = second_factors::use_passkeys(web.door(), &act, &guest.person).await;
    codes(&web, &guest, &act, used).await
}

/// `POST /security/second-factor/codes`.
pub(super) async fn renew_codes(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "renew recovery codes", json!({}));
    let renewed = second_factors::renew_codes(web.door(), &act, &guest.person).await;
    codes(&web, &guest, &act, renewed).await
}

/// New recovery codes, shown once.
async fn codes(
    web: &Web,
    guest: &Guest,
    act: &Act,
    codes: Result<RecoveryCodes, SecondFactorError>,
) -> Result<Response, Fault> {
    match codes {
        Ok(codes) => {
            let shell = Shell::of(web, guest, Section::Security);
            Ok(page(&CodesPage { shell, codes: codes.expose() }))
        }
        Err(error) => refusal(guest, error)?.show(web, guest, act).await,
    }
}

/// `POST /security/second-factor/remove`.
pub(super) async fn remove(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "remove second factor", json!({}));
    match second_factors::remove(web.door(), &act, &guest.person).await {
        Ok(()) => Ok(done(REMOVED)),
        Err(error) => refusal(&guest, error)?.show(&web, &guest, &act).await,
    }
}

fn refusal(guest: &Guest, error: SecondFactorError) -> Result<Refusal, Fault> {
    let t = &guest.visitor.language.texts().second_factor;
    Ok(match error {
        SecondFactorError::NotFresh(_) => Refusal::not_fresh(),
        SecondFactorError::Exists => Refusal::conflict("second_factor_exists", t.exists),
        SecondFactorError::Missing | SecondFactorError::Disabled => {
            Refusal::conflict("second_factor_missing", t.missing)
        }
        SecondFactorError::NoPasskey => Refusal::conflict("no_passkey", t.no_passkey),
        SecondFactorError::WrongCode => Refusal::conflict("wrong_code", t.wrong_code),
        SecondFactorError::Secret(error) => return Err(Fault::Other(error.to_string())),
        SecondFactorError::Store(error) => return Err(error.into()),
    })
}
