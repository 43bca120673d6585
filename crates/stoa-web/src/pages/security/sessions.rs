//! Where a person is signed in.

use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_identity::{AuthenticatedBy, SecondStep, SessionId, SessionRecord, sessions};

use super::done;
use super::refusal::Refusal;
use crate::browser::Browser;
use crate::named::Named;
use crate::respond::Fault;
use crate::shell::Shell;
use crate::texts::Texts;
use crate::visitor::Guest;
use crate::web::Web;
use crate::when::When;

pub(super) const ENDED: &str = "session-ended";
pub(super) const OTHERS_ENDED: &str = "sessions-ended";

/// A session of the list.
pub(super) struct Session {
    pub id: String,
    pub browser: String,
    pub is_here: bool,
    pub address: String,
    pub how: &'static str,
    pub since: When,
    pub last_seen: When,
}

/// The person's sessions, this one first.
pub(super) async fn all(web: &Web, guest: &Guest, shell: &Shell) -> Result<Vec<Session>, Fault> {
    let mut all = sessions::list(web.door(), &guest.person).await?;
    all.sort_by_key(|session| session.id != guest.person.session);
    Ok(all.into_iter().map(|record| session(web, guest, shell, record)).collect())
}

fn session(web: &Web, guest: &Guest, shell: &Shell, record: SessionRecord) -> Session {
    let t = &shell.texts().security;
    let Browser { name, system } = Browser::of(&record.user_agent);
    Session {
        id: record.id.to_string(),
        browser: (t.browser)(name.unwrap_or(t.some_browser), system),
        is_here: record.id == guest.person.session,
        how: how(shell.texts(), &record),
        address: record.address,
        since: shell.when(web, record.created_at),
        last_seen: shell.when(web, record.last_seen_at),
    }
}

/// How the person signed in.
const fn how(texts: &'static Texts, record: &SessionRecord) -> &'static str {
    let t = &texts.security;
    match (record.authenticated_by, record.second_step) {
        (_, Some(SecondStep::Totp)) => t.by_password_and_app,
        (_, Some(SecondStep::RecoveryCode)) => t.by_recovery_code,
        (AuthenticatedBy::Password, None) => t.by_password,
        (AuthenticatedBy::Passkey, None) => t.by_passkey,
        (AuthenticatedBy::Oidc, None) => t.by_provider,
        (AuthenticatedBy::Setup, None) => t.by_link,
    }
}

/// `POST /security/sessions/{id}/end`.
pub(super) async fn end(
    State(web): State<Web>,
    Named(id): Named<SessionId>,
    guest: Guest,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "end session", json!({ "session": id }));
    if let Some(id) = id
        && sessions::end(web.door(), &act, &guest.person, id).await?
    {
        return Ok(done(ENDED));
    }
    Refusal::not_found(&guest).show(&web, &guest, &act).await
}

/// `POST /security/sessions/end-others`.
pub(super) async fn end_others(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "end other sessions", json!({}));
    sessions::end_others(web.door(), &act, &guest.person).await?;
    Ok(done(OTHERS_ENDED))
}
