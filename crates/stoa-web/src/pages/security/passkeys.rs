//! Adding, renaming and removing passkeys.

use axum::extract::State;
use axum::response::Response;
use axum::{Form, Json};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use stoa_identity::passkeys::{self, RegisterError, RemovePasskeyError};
use stoa_identity::{PasskeyId, PasskeyRecord};
use stoa_store::audit::{Act, Status};

use super::refusal::Refusal;
use super::{done, done_path};
use crate::browser::Browser;
use crate::named::Named;
use crate::pages::ceremony;
use crate::respond::Fault;
use crate::shell::Shell;
use crate::visitor::{Guest, next_path, sign_in_again_path};
use crate::web::Web;
use crate::when::When;

pub(super) const ADDED: &str = "passkey-added";
pub(super) const RENAMED: &str = "passkey-renamed";
pub(super) const REMOVED: &str = "passkey-removed";

/// A passkey of the list.
pub(super) struct Passkey {
    pub id: String,
    pub name: String,
    pub since: When,
    pub last_used: Option<When>,
}

#[derive(Deserialize)]
pub(super) struct Finished {
    #[serde(default)]
    name: String,
    next: Option<String>,
    credential: Value,
}

#[derive(Deserialize)]
pub(super) struct Renamed {
    #[serde(default)]
    name: String,
}

/// The person's passkeys.
pub(super) async fn all(web: &Web, guest: &Guest, shell: &Shell) -> Result<Vec<Passkey>, Fault> {
    let all = passkeys::list(web.door(), &guest.person).await?;
    let one = |record: PasskeyRecord| Passkey {
        id: record.id.to_string(),
        name: if record.name.is_empty() { shell.texts().passkeys.nameless.to_owned() } else { record.name },
        since: shell.when(web, record.created_at),
        last_used: record.last_used_at.map(|at| shell.when(web, at)),
    };
    Ok(all.into_iter().map(one).collect())
}

/// What a passkey of this browser is called, unless its person says otherwise.
pub(super) fn name_here(guest: &Guest) -> String {
    let t = &guest.visitor.language.texts().security;
    let browser = Browser::of(guest.visitor.visit.user_agent.as_deref().unwrap_or_default());
    (t.browser)(browser.name.unwrap_or(t.some_browser), browser.system)
}

/// `POST /security/passkeys/begin`.
pub(super) async fn begin(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "begin passkey", json!({}));
    match passkeys::start_registration(web.door(), &act, &guest.person).await {
        Ok(challenge) => Ok(ceremony::begun(&web, &challenge)),
        Err(error) => refused(&web, &guest, &act, error).await,
    }
}

/// `POST /security/passkeys/finish`.
pub(super) async fn finish(
    State(web): State<Web>,
    guest: Guest,
    headers: HeaderMap,
    Json(Finished { name, next, credential }): Json<Finished>,
) -> Result<Response, Fault> {
    let secret = ceremony::secret(&web, &headers);
    let act = guest.act(&web, "add passkey", json!({}));
    let person = &guest.person;
    match passkeys::finish_registration(web.door(), &act, person, &secret, &credential, &name).await {
        Ok(_) => {
            let next =
                next.as_deref().map_or_else(|| done_path(ADDED), |next| next_path(Some(next)).to_owned());
            Ok(ceremony::go_on(&web, &next))
        }
        Err(error) => refused(&web, &guest, &act, error).await,
    }
}

async fn refused(web: &Web, guest: &Guest, act: &Act, error: RegisterError) -> Result<Response, Fault> {
    let t = &guest.visitor.language.texts().passkeys;
    let (code, problem) = match error {
        RegisterError::NotFresh(_) => {
            act.close(Status::Denied, Some("not_fresh")).await?;
            // The page from which this was asked has nothing filled in but a name.
            return Ok(ceremony::go_on(web, &sign_in_again_path(&guest.visitor.asked)));
        }
        RegisterError::NoDomain => ("no_domain", t.no_domain),
        RegisterError::TooMany => ("too_many_passkeys", t.too_many),
        RegisterError::NotWaiting => ("nothing_waits", t.too_late),
        RegisterError::Refused => ("passkey_refused", t.refused),
        RegisterError::Known => ("passkey_known", t.known),
        RegisterError::Broken(error) => return Err(Fault::Other(format!("passkeys: {error}"))),
        RegisterError::Store(error) => return Err(error.into()),
    };
    act.close(Status::Denied, Some(code)).await?;
    Ok(ceremony::refused(StatusCode::CONFLICT, problem))
}

/// `POST /security/passkeys/{id}/rename`.
pub(super) async fn rename(
    State(web): State<Web>,
    Named(id): Named<PasskeyId>,
    guest: Guest,
    Form(Renamed { name }): Form<Renamed>,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "rename passkey", json!({ "passkey": id }));
    if let Some(id) = id
        && passkeys::rename(web.door(), &act, &guest.person, id, &name).await?
    {
        return Ok(done(RENAMED));
    }
    Refusal::not_found(&guest).show(&web, &guest, &act).await
}

/// `POST /security/passkeys/{id}/remove`.
pub(super) async fn remove(
    State(web): State<Web>,
    Named(id): Named<PasskeyId>,
    guest: Guest,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "remove passkey", json!({ "passkey": id }));
    let t = &guest.visitor.language.texts().passkeys;
    let removed = match id {
        Some(id) => passkeys::remove(web.door(), &act, &guest.person, id).await,
        None => Err(RemovePasskeyError::Missing),
    };
    let refusal = match removed {
        Ok(()) => return Ok(done(REMOVED)),
        Err(RemovePasskeyError::NotFresh(_)) => Refusal::not_fresh(),
        Err(RemovePasskeyError::Missing) => Refusal::not_found(&guest),
        Err(RemovePasskeyError::LastWay) => Refusal::conflict("last_way", t.last_way),
        Err(RemovePasskeyError::SecondFactor) => Refusal::conflict("second_factor", t.is_second_factor),
        Err(RemovePasskeyError::Store(error)) => return Err(error.into()),
    };
    refusal.show(&web, &guest, &act).await
}
