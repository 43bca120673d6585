//! How a person signs in, and where they are signed in.

pub(super) mod first;
mod passkeys;
mod password;
mod providers;
mod refusal;
mod second_factor;
mod sessions;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::StatusCode;
use serde::Deserialize;
use stoa_identity::passwords;
use stoa_identity::second_factors::{self, Method};

use super::sign_in::has_passkeys;
use crate::respond::{Fault, page_with, see_other};
use crate::route::Route;
use crate::route::RouteKind::{Person, PersonForm};
use crate::shell::{Section, Shell};
use crate::texts::Texts;
use crate::visitor::Guest;
use crate::web::Web;

#[derive(Template)]
#[template(path = "security.html")]
struct Page {
    shell: Shell,
    email: String,
    problem: Option<String>,
    done: Option<&'static str>,
    /// Whether how one signs in may be changed now.
    is_fresh: bool,
    /// Whether there can be passkeys at the public URL.
    has_passkeys: bool,
    /// What a new passkey is called, unless its person says otherwise.
    name: String,
    passkeys: Vec<passkeys::Passkey>,
    has_password: bool,
    providers: Vec<providers::Provider>,
    second_factor: Option<Method>,
    recovery_codes: i64,
    sessions: Vec<sessions::Session>,
}

impl Page {
    /// Whether the person could sign in again.
    fn has_way(&self) -> bool {
        self.has_password || !self.passkeys.is_empty() || !self.providers.is_empty()
    }

    fn password_label(&self) -> &'static str {
        let t = &self.shell.texts().security;
        if self.has_password { t.password_change } else { t.password_add }
    }
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    done: Option<String>,
}

/// The pages and forms.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("/security", Person, get(show)),
        Route::new("/security/first", Person, get(first::show)),
        Route::new("/security/password", PersonForm, post(password::change)),
        Route::new("/security/passkeys/begin", PersonForm, post(passkeys::begin)),
        Route::new("/security/passkeys/finish", PersonForm, post(passkeys::finish)),
        Route::new("/security/passkeys/{id}/rename", PersonForm, post(passkeys::rename)),
        Route::new("/security/passkeys/{id}/remove", PersonForm, post(passkeys::remove)),
        Route::new("/security/providers/unlink", PersonForm, post(providers::unlink)),
        Route::new("/security/second-factor/app", PersonForm, post(second_factor::begin_app)),
        Route::new("/security/second-factor/app/confirm", PersonForm, post(second_factor::confirm_app)),
        Route::new("/security/second-factor/passkeys", PersonForm, post(second_factor::use_passkeys)),
        Route::new("/security/second-factor/codes", PersonForm, post(second_factor::renew_codes)),
        Route::new("/security/second-factor/remove", PersonForm, post(second_factor::remove)),
        Route::new("/security/sessions/{id}/end", PersonForm, post(sessions::end)),
        Route::new("/security/sessions/end-others", PersonForm, post(sessions::end_others)),
    ]
}

/// `GET /security`.
async fn show(State(web): State<Web>, guest: Guest, Query(asked): Query<Asked>) -> Result<Response, Fault> {
    let done = asked.done.and_then(|word| said(guest.visitor.language.texts(), &word));
    Ok(page_with(StatusCode::OK, &Page { done, ..filled(&web, &guest).await? }))
}

/// The page, saying why something was refused.
async fn show_problem(
    web: &Web,
    guest: &Guest,
    status: StatusCode,
    problem: String,
) -> Result<Response, Fault> {
    Ok(page_with(status, &Page { problem: Some(problem), ..filled(web, guest).await? }))
}

async fn filled(web: &Web, guest: &Guest) -> Result<Page, Fault> {
    let (door, person) = (web.door(), &guest.person);
    let shell = Shell::of(web, guest, Section::Security);
    let second = second_factors::status(door, person.account).await?;
    let passkeys = passkeys::all(web, guest, &shell).await?;
    let has_password = passwords::is_set(door, person).await?;
    Ok(Page {
        email: person.email.to_string(),
        problem: None,
        done: None,
        is_fresh: person.is_fresh(web.ambient().now()),
        has_passkeys: has_passkeys(web),
        name: passkeys::name_here(guest),
        passkeys,
        has_password,
        providers: providers::all(web, guest, &shell).await?,
        second_factor: second.method,
        recovery_codes: second.recovery_codes,
        sessions: sessions::all(web, guest, &shell).await?,
        shell,
    })
}

/// Back to the page, which says that it is done.
fn done(word: &str) -> Response {
    see_other(&done_path(word))
}

fn done_path(word: &str) -> String {
    format!("/security?done={word}")
}

/// What was done, in words.
fn said(texts: &'static Texts, word: &str) -> Option<&'static str> {
    let t = &texts.security;
    Some(match word {
        passkeys::ADDED => texts.passkeys.added,
        passkeys::RENAMED => texts.passkeys.renamed,
        passkeys::REMOVED => texts.passkeys.removed,
        password::CHANGED => t.password_changed,
        providers::UNLINKED => t.provider_unlinked,
        second_factor::REMOVED => texts.second_factor.removed,
        sessions::ENDED => t.session_ended,
        sessions::OTHERS_ENDED => t.sessions_ended,
        _ => return None,
    })
}
