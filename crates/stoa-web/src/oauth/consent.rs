//! The page where a person says yes to an agent, or no.

use std::collections::BTreeSet;

use askama::Template;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use stoa_base::InstallationId;
use stoa_identity::oauth::ConsentError;
use stoa_identity::{
    Before, ConsentPage, Decision, Parameters, Reach, RedirectKind, Redirection, Scopes, Sighting, Step,
};
use stoa_site::{Mount, OAuthPaths};

use super::Here;
use crate::pages::trouble;
use crate::reach::{self, Choices};
use crate::respond::{Fault, page, page_with};
use crate::shell::{Section, Shell};
use crate::texts::Texts;
use crate::visitor::{Guest, Visitor};
use crate::web::{ScopeFace, Web};

#[derive(Template)]
#[template(path = "consent.html")]
struct Page {
    shell: Shell,
    asks: String,
    client: String,
    host: String,
    goes_to: String,
    workspace: String,
    problem: Option<&'static str>,
    scopes: Vec<Scope>,
    reach: Choices,
    earlier: Vec<Earlier>,
    is_continued: bool,
    label: String,
    run_budget: String,
}

struct Scope {
    name: &'static str,
    allows: &'static str,
    tools: &'static [&'static str],
    is_ticked: bool,
    is_required: bool,
}

struct Earlier {
    id: String,
    says: String,
    is_live: bool,
    is_selected: bool,
}

#[derive(Template)]
#[template(path = "carried_on.html")]
struct CarriedOn {
    shell: Shell,
    title: &'static str,
    location: String,
}

/// Where a request waits for its person.
pub(crate) fn path(mount: &Mount, handle: &str) -> String {
    mount.page_url(&format!("{}{handle}", OAuthPaths::CONSENT))
}

/// `GET {base}/oauth/consent/{handle}`. Loading it changes nothing.
pub(crate) async fn show(
    State(web): State<Web>,
    here: Here,
    Path(captures): Path<Vec<(String, String)>>,
    guest: Guest,
) -> Result<Response, Fault> {
    let waiting = web.oauth().page(&here.profile, handle(&captures), guest.as_person()).await?;
    let Some(waiting) = waiting else { return not_decided(&guest.visitor, ConsentError::NothingWaits) };
    Ok(page(&filled(&web, &here, &guest, &waiting).await?))
}

/// What the router took from the path; a workspace may stand before the handle.
fn handle(captures: &[(String, String)]) -> &str {
    captures.iter().find(|(name, _)| name == "handle").map_or("", |(_, handle)| handle)
}

async fn filled(web: &Web, here: &Here, guest: &Guest, waiting: &ConsentPage) -> Result<Page, Fault> {
    let shell = Shell::of(web, guest, Section::None);
    let t = &shell.texts().consent;
    let titles: Vec<&str> = web.faces_at(here.mount.service).map(|face| face.title).collect();
    let name = waiting.client.name.clone().unwrap_or_else(|| t.nameless.to_owned());
    let faces = web.faces_at(here.mount.service).flat_map(|face| face.scopes);
    let scopes = faces.filter(|scope| waiting.scopes.contains(scope.name));
    let before = waiting.before.as_ref();
    let budget = before.and_then(|before| before.run_budget);
    let (mount, reach) = (&here.profile.mount, before.map(|before| &before.reach));
    Ok(Page {
        problem: None,
        reach: Choices::of(web, &guest.person, mount, reach).await?,
        asks: (t.asks)(&titles.join(", ")),
        host: waiting.client.host().unwrap_or_else(|| t.no_host.to_owned()),
        goes_to: goes_to(waiting, shell.texts()),
        workspace: here.mount.workspace.to_string(),
        scopes: scopes.map(|face| scope(face, waiting, &shell)).collect(),
        earlier: earlier(waiting, shell.texts()),
        is_continued: waiting.preselected.is_some(),
        label: name.clone(),
        run_budget: budget.map(|most| most.to_string()).unwrap_or_default(),
        client: name,
        shell,
    })
}

/// The redirect URI, as a person can judge it.
fn goes_to(waiting: &ConsentPage, texts: &Texts) -> String {
    let t = &texts.consent;
    let uri = waiting.redirect_uri.as_str();
    let host =
        url::Url::parse(uri).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    match waiting.redirect_uri.kind() {
        RedirectKind::Web => host,
        RedirectKind::Loopback => format!("{host} ({})", t.this_machine),
        RedirectKind::App => format!("{} ({})", uri.split(':').next().unwrap_or_default(), t.program),
    }
}

/// Ticked as the person had it before; at first as the service says.
fn scope(face: &ScopeFace, waiting: &ConsentPage, shell: &Shell) -> Scope {
    let is_required = waiting.required.contains(face.name);
    let before = waiting.before.as_ref().map(|before| before.scopes.contains(face.name));
    Scope {
        name: face.name,
        allows: (face.allows)(shell.language),
        tools: face.tools,
        is_ticked: is_required || before.unwrap_or(!face.starts_unticked),
        is_required,
    }
}

fn earlier(waiting: &ConsentPage, texts: &Texts) -> Vec<Earlier> {
    let one = |earlier: &stoa_identity::Earlier| Earlier {
        id: earlier.id.to_string(),
        says: (texts.consent.continue_as)(&earlier.label),
        is_live: earlier.is_live,
        is_selected: waiting.preselected == Some(earlier.id),
    };
    waiting.earlier.iter().map(one).collect()
}

/// `POST {base}/oauth/consent/{handle}`. Of two clicks one counts.
pub(crate) async fn decide(
    State(web): State<Web>,
    here: Here,
    Path(captures): Path<Vec<(String, String)>>,
    guest: Guest,
    body: Bytes,
) -> Result<Response, Fault> {
    let form: Parameters = url::form_urlencoded::parse(&body).into_owned().collect();
    let (handle, person, visit) = (handle(&captures), guest.as_person(), &guest.visitor.visit);
    let connects = form.one("decision") == Ok(Some("connect"));
    let Some(reach) = reach::chosen(&form).or((!connects).then_some(Reach::Everything)) else {
        return asked_again(&web, &here, &guest, handle, decision(&form, Reach::Only(BTreeSet::new()))).await;
    };
    let decided = if connects {
        web.oauth().approve(&here.profile, handle, person, decision(&form, reach), visit).await
    } else {
        web.oauth().cancel(&here.profile, handle, person, visit).await
    };
    let code = match &decided {
        Ok(_) if connects => None,
        Ok(_) => Some("access_denied"),
        Err(error) => Some(error.code()),
    };
    let sighting = Sighting { step: Step::Consent, client: None, installation: None, code };
    here.note(&web, &guest.visitor, sighting).await;
    match decided {
        Ok(to) => Ok(carried_on(&web, &guest, &to, connects)),
        Err(error) => not_decided(&guest.visitor, error),
    }
}

/// The page as it was filled in, which can't be taken: it goes nowhere.
async fn asked_again(
    web: &Web,
    here: &Here,
    guest: &Guest,
    handle: &str,
    decision: Decision,
) -> Result<Response, Fault> {
    let waiting = web.oauth().page(&here.profile, handle, guest.as_person()).await?;
    let Some(mut waiting) = waiting else { return not_decided(&guest.visitor, ConsentError::NothingWaits) };
    let Decision { scopes, reach, run_budget, label, continue_as } = decision;
    waiting.before = Some(Before { scopes, reach, run_budget });
    waiting.preselected = continue_as;
    let problem = Some(guest.visitor.language.texts().reach.nothing_ticked);
    let page = Page { problem, label, ..filled(web, here, guest, &waiting).await? };
    Ok(page_with(StatusCode::BAD_REQUEST, &page))
}

/// What was ticked. The operation sees to it that it is no more than was asked for.
fn decision(form: &Parameters, reach: Reach) -> Decision {
    let scopes: Scopes = form.all("scope").iter().map(String::as_str).collect();
    let one = |name| form.one(name).ok().flatten();
    Decision {
        scopes,
        reach,
        run_budget: one("run_budget").and_then(|most| most.parse().ok()),
        label: one("label").unwrap_or_default().to_owned(),
        continue_as: one("continue_as").and_then(|id| id.parse::<InstallationId>().ok()),
    }
}

/// A page of ours that carries the person on: the policy of the form would stop a redirect to another scheme.
pub(crate) fn carried_on(web: &Web, guest: &Guest, to: &Redirection, connects: bool) -> Response {
    let shell = Shell::of(web, guest, Section::None);
    let t = &shell.texts().consent;
    let title = if connects { t.connected } else { t.canceled };
    page(&CarriedOn { shell, title, location: to.location.clone() })
}

/// Says why a decision does not count.
pub(crate) fn not_decided(visitor: &Visitor, error: ConsentError) -> Result<Response, Fault> {
    let t = &visitor.language.texts().trouble;
    let (status, problem) = match error {
        ConsentError::Store(error) => return Err(error.into()),
        ConsentError::NothingWaits | ConsentError::NotThere => (StatusCode::GONE, t.nothing_waits),
        ConsentError::NotAsked => (StatusCode::BAD_REQUEST, t.tampered),
        ConsentError::NotAMember => (StatusCode::FORBIDDEN, t.not_a_member),
    };
    Ok(trouble::show(visitor, status, problem, None).into_response())
}
