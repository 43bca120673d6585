//! Accepting an invitation: its link's secret stands behind `#`, is posted once, and stays in a cookie until the
//! invitation is accepted, so that it outlives signing in.

use std::time::Duration;

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::json;
use stoa_identity::invitations::{self, AcceptError};
use stoa_identity::{Email, Offer, SignedIn};
use stoa_store::audit::{Act, Status};

use crate::cookies::Jar;
use crate::member::base_of;
use crate::pages::setup::not_a_password;
use crate::pages::trouble;
use crate::respond::{Fault, page, page_with, see_other, signed_in};
use crate::shell::{Section, Shell};
use crate::visitor::{Guest, Visitor, sign_in_path};
use crate::web::Web;
use crate::when::When;

/// Where the offer is shown and accepted.
const OFFER: &str = "/invite/offer";
/// How long a browser keeps the secret.
const KEPT: Duration = Duration::from_hours(1);

#[derive(Template)]
#[template(path = "invite.html")]
struct Opening {
    shell: Shell,
}

#[derive(Template)]
#[template(path = "offer.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<&'a str>,
    workspace: String,
    invited_by: String,
    role: &'static str,
    may: &'static str,
    until: When,
    /// The only address that may accept it.
    only: Option<String>,
    /// What was filled in.
    email: &'a str,
    sign_in: String,
}

#[derive(Deserialize)]
pub(crate) struct Key {
    #[serde(default)]
    secret: String,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

/// `GET /invite`.
pub(crate) async fn show(visitor: Visitor) -> Response {
    page(&Opening { shell: Shell::open(&visitor) })
}

/// `POST /invite`. The browser keeps the secret from now on.
pub(crate) async fn keep(
    State(web): State<Web>,
    visitor: Visitor,
    Form(key): Form<Key>,
) -> Result<Response, Fault> {
    if invitations::offer(web.db(), web.ambient(), &key.secret).await?.is_none() {
        return Ok(not_good(&visitor));
    }
    let mut response = see_other(OFFER);
    let now = web.ambient().now();
    web.cookies().set(response.headers_mut(), Jar::Invitation, &key.secret, now, now.plus(KEPT));
    Ok(response)
}

/// `GET /invite/offer`.
pub(crate) async fn offered(
    State(web): State<Web>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let Some((_, offer)) = kept(&web, &headers).await? else { return Ok(not_good(&visitor)) };
    let person = visitor.person(&web).await?;
    Ok(page(&offer_page(&web, &visitor, person.as_ref(), &offer, None, "")))
}

/// `POST /invite/offer`: as who is signed in.
pub(crate) async fn accept(
    State(web): State<Web>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let Some((secret, offer)) = kept(&web, &headers).await? else { return Ok(not_good(&visitor)) };
    let Some(person) = visitor.person(&web).await? else { return Ok(see_other(&sign_in_path(OFFER))) };
    let guest = Guest { visitor, person };
    let act = guest.act(&web, "invitation accept", json!({ "workspace": offer.workspace }));
    match invitations::accept(web.door(), &act, &secret, &guest.person).await {
        Ok(_) => Ok(forgotten(&web, see_other(&home(&offer)))),
        Err(error) => refused(&web, &guest.visitor, Some(&guest.person), &offer, &act, error, "").await,
    }
}

/// `POST /invite/new`: with a new account.
pub(crate) async fn accept_as_new(
    State(web): State<Web>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let Some((secret, offer)) = kept(&web, &headers).await? else { return Ok(not_good(&visitor)) };
    let Ok(email) = filled.email.parse::<Email>() else {
        let problem = Some(visitor.language.texts().setup.not_an_email);
        let page = offer_page(&web, &visitor, None, &offer, problem, &filled.email);
        return Ok(page_with(StatusCode::BAD_REQUEST, &page));
    };
    let act = visitor.house_act(&web, "invitation accept", json!({ "workspace": offer.workspace }));
    let (password, visit) = (Some(filled.password.as_str()), &visitor.visit);
    match invitations::accept_as_new(web.door(), &act, &secret, email, password, visit).await {
        Ok(session) => Ok(forgotten(&web, signed_in(&web, &session, &home(&offer)))),
        Err(error) => refused(&web, &visitor, None, &offer, &act, error, &filled.email).await,
    }
}

/// The secret that the browser keeps, and what it offers. `None`: used, withdrawn, expired or none at all.
async fn kept(web: &Web, headers: &HeaderMap) -> Result<Option<(String, Offer)>, Fault> {
    let Some(secret) = web.cookies().read(headers, Jar::Invitation) else { return Ok(None) };
    let offer = invitations::offer(web.db(), web.ambient(), &secret).await?;
    Ok(offer.map(|offer| (secret, offer)))
}

fn home(offer: &Offer) -> String {
    format!("{}/", base_of(&offer.workspace))
}

fn forgotten(web: &Web, mut response: Response) -> Response {
    web.cookies().forget(response.headers_mut(), Jar::Invitation);
    response
}

fn not_good(visitor: &Visitor) -> Response {
    trouble::plain(visitor, StatusCode::BAD_REQUEST, visitor.language.texts().invite.not_good)
}

async fn refused(
    web: &Web,
    visitor: &Visitor,
    person: Option<&SignedIn>,
    offer: &Offer,
    act: &Act,
    error: AcceptError,
    email: &str,
) -> Result<Response, Fault> {
    let texts = visitor.language.texts();
    if let AcceptError::TooMany { after } = error {
        act.let_go();
        return Ok(trouble::plain(visitor, StatusCode::TOO_MANY_REQUESTS, &texts.sign_in.wait(after)));
    }
    act.close(Status::Denied, Some("invitation_refused")).await?;
    let problem = match error {
        AcceptError::NotGood | AcceptError::TooMany { .. } => return Ok(not_good(visitor)),
        AcceptError::OtherAddress => texts.invite.other_address,
        AcceptError::EmailTaken => texts.invite.email_taken,
        AcceptError::Password(problem) => not_a_password(&texts.setup, problem),
        AcceptError::Hashing(_) => texts.sign_in.busy,
        AcceptError::Store(error) => return Err(error.into()),
    };
    let page = offer_page(web, visitor, person, offer, Some(problem), email);
    Ok(page_with(StatusCode::BAD_REQUEST, &page))
}

fn offer_page<'a>(
    web: &Web,
    visitor: &Visitor,
    person: Option<&SignedIn>,
    offer: &Offer,
    problem: Option<&'a str>,
    email: &'a str,
) -> Page<'a> {
    let guest = person.map(|person| Guest { visitor: visitor.clone(), person: person.clone() });
    let shell = guest.map_or_else(|| Shell::open(visitor), |guest| Shell::of(web, &guest, Section::None));
    // A change of language leads back to a page, not to a form's target.
    let shell = Shell { here: OFFER.to_owned(), navigation: Vec::new(), ..shell };
    let t = &shell.texts().members;
    Page {
        problem,
        workspace: offer.workspace.to_string(),
        invited_by: offer.invited_by.to_string(),
        role: t.role(offer.role),
        may: t.may(offer.role),
        until: shell.when(web, offer.expires_at),
        only: offer.email.as_ref().map(ToString::to_string),
        email,
        sign_in: sign_in_path(OFFER),
        shell,
    }
}
