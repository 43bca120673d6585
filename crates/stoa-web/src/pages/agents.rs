//! The agents that a person connected: what each is, what it does, and its end.

pub(crate) mod end;
pub(crate) mod new;
pub(crate) mod rename;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use stoa_identity::{ConnectedClient, Connection, Doing, Installation, activity, installations};
use stoa_site::ALL;

use crate::member::Member;
use crate::reach::{self, Place};
use crate::respond::{Fault, page};
use crate::shell::{Section, Shell};
use crate::texts::Texts;
use crate::web::Web;
use crate::when::When;

/// How many kinds of doing are named.
const NAMED: usize = 4;

#[derive(Template)]
#[template(path = "agents.html")]
struct Page {
    shell: Shell,
    agents: Vec<Agent>,
}

struct Agent {
    id: String,
    label: String,
    client: String,
    /// Where the client's answers go, or what vouches for it.
    host: String,
    from: &'static str,
    place: String,
    may: Vec<&'static str>,
    reach: String,
    week: Vec<String>,
    runs: String,
    since: When,
    last_used: Option<When>,
}

/// `GET /agents`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    let (workspace, account) = (member.caller.workspace, member.caller.account);
    let all = installations::of_account(web.db(), web.ambient(), workspace, account).await?;
    let shell = Shell::inside(&web, &member, Section::Agents);
    let places = reach::places(&web, ALL, &member.caller).await?;
    let mut agents = Vec::new();
    for one in all.iter().filter(|one| one.installation.revoked_at.is_none()) {
        agents.push(agent(&web, &shell, &places, one).await?);
    }
    Ok(page(&Page { shell, agents }))
}

async fn agent(web: &Web, shell: &Shell, places: &[Place], one: &Connection) -> Result<Agent, Fault> {
    let (installation, texts) = (&one.installation, shell.texts());
    let week = activity::doings(web.db(), web.ambient(), installation).await?;
    let budget = web.budgets().of(installation.id, installation.grant.run_budget).await?;
    Ok(Agent {
        id: installation.id.to_string(),
        label: installation.label.clone(),
        client: client(installation, one.client.as_ref(), texts),
        host: host(one.client.as_ref(), texts),
        from: texts.activity.address(one.address),
        place: place(web, &installation.mount.service, texts),
        may: may(web, shell, installation),
        reach: reach::said(&installation.grant.reach, places, texts),
        week: week.iter().take(NAMED).map(|doing| done(web, shell, doing)).collect(),
        runs: (texts.agents.runs_left)(budget.limit.saturating_sub(budget.used), budget.limit),
        since: shell.when(web, installation.created_at),
        last_used: installation.last_used_at.map(|at| shell.when(web, at)),
    })
}

/// The name that the client registered under, and what ran last.
fn client(installation: &Installation, client: Option<&ConnectedClient>, texts: &Texts) -> String {
    let name = match client {
        None => texts.agents.personal_token.to_owned(),
        Some(client) => client.name.clone().unwrap_or_else(|| texts.consent.nameless.to_owned()),
    };
    let running = installation.client.as_ref();
    running.map_or_else(|| name.clone(), |running| format!("{name} ({} {})", running.name, running.version))
}

/// A client that is described at a host is that host's; of another only where its answers go is known.
fn host(client: Option<&ConnectedClient>, texts: &Texts) -> String {
    let Some(client) = client else { return texts.agents.no_host.to_owned() };
    let host = |url: &str| url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let described = host(&client.client_id);
    let answered = client.redirect_uri.as_deref().and_then(host);
    described.or(answered).unwrap_or_else(|| texts.consent.program.to_owned())
}

fn place(web: &Web, service: &str, texts: &Texts) -> String {
    if service == ALL {
        return texts.agents.everything.to_owned();
    }
    web.faces_at(service).map(|face| face.title).collect()
}

fn may(web: &Web, shell: &Shell, installation: &Installation) -> Vec<&'static str> {
    let scopes = web.faces_at(&installation.mount.service).flat_map(|face| face.scopes);
    let granted = scopes.filter(|scope| installation.grant.scopes.contains(scope.name));
    granted.map(|scope| (scope.allows)(shell.language)).collect()
}

fn done(web: &Web, shell: &Shell, doing: &Doing) -> String {
    let what = web.says(shell.language, &doing.tool).unwrap_or(&doing.tool);
    (shell.texts().agents.did)(what, doing.done, doing.refused)
}
