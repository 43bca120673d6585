//! A personal token, for an agent that can't open a browser.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use stoa_identity::tokens::{self, AddTokenError, NewToken};
use stoa_identity::{Grant, MountId, Parameters, Reach, Scopes};
use stoa_site::connect::{Agent, TOKEN_VARIABLE};
use stoa_site::{ALL, Mount};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::pages::connect::{self, Connecting};
use crate::reach::{self, Choices};
use crate::respond::{Fault, page, page_with, see_other};
use crate::shell::{Section, Shell};
use crate::web::Web;

const DAY: Duration = Duration::from_hours(24);
/// How long a token may be wished for, in days; the first is proposed, none is for good.
const DAYS: [u32; 3] = [90, 30, 365];

#[derive(Template)]
#[template(path = "new_token.html")]
struct Page {
    shell: Shell,
    problem: Option<&'static str>,
    services: Vec<Service>,
    reach: Choices,
    days: [u32; 3],
}

struct Service {
    name: &'static str,
    title: &'static str,
    scopes: Vec<Scope>,
}

struct Scope {
    name: &'static str,
    allows: &'static str,
    is_ticked: bool,
}

#[derive(Template)]
#[template(path = "made_token.html")]
struct Made {
    shell: Shell,
    export: String,
    token: String,
    agents: Vec<Connecting>,
}

/// `GET /agents/new`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    Ok(page(&form(&web, &member, None).await?))
}

async fn form(web: &Web, member: &Member, problem: Option<&'static str>) -> Result<Page, Fault> {
    let shell = Shell::inside(web, member, Section::Agents);
    let services = web.faces().iter().map(|face| Service {
        name: face.name,
        title: face.title,
        scopes: face
            .scopes
            .iter()
            .map(|scope| Scope {
                name: scope.name,
                allows: (scope.allows)(shell.language),
                is_ticked: !scope.starts_unticked,
            })
            .collect(),
    });
    let mount = MountId::new(member.caller.workspace, ALL);
    let reach = Choices::of(web, &member.guest.person, &mount, None).await?;
    Ok(Page { problem, services: services.collect(), reach, days: DAYS, shell })
}

/// `POST /agents/new`. The answer is the one time that the token is shown.
pub(crate) async fn make(State(web): State<Web>, member: Member, body: Bytes) -> Result<Response, Fault> {
    let wish: Parameters = url::form_urlencoded::parse(&body).into_owned().collect();
    let texts = member.guest.visitor.language.texts();
    let Some(mount) = mount(&web, &member, &wish) else { return Ok(see_other(&member.base())) };
    let asked: Scopes = wish.all("scope").iter().map(String::as_str).collect();
    let scopes = asked.and(&web.scopes_at(mount.service));
    let (reach, problem) = (reach::chosen(&wish), texts.reach.nothing_ticked);
    let (Some(reach), false) = (reach, scopes.is_empty()) else {
        let problem = if scopes.is_empty() { texts.agents.nothing_ticked } else { problem };
        return Ok(page_with(StatusCode::BAD_REQUEST, &form(&web, &member, Some(problem)).await?));
    };
    let bounded = matches!(reach, Reach::Only(_));
    let arguments = json!({ "mount": mount.service, "scopes": scopes, "bounded": bounded });
    let act = member.act(&web, "token add", arguments);
    let grant = Grant { scopes, reach, run_budget: None };
    match tokens::add(web.db(), web.ambient(), &act, wanted(&member, &mount, grant, &wish)).await {
        Ok(added) => Ok(page(&made(&web, &member, &mount, added.secret.expose()))),
        Err(AddTokenError::Store(error)) => Err(error.into()),
        // The person was removed or disabled a moment ago: the next page says so.
        Err(_) => {
            act.close(Status::Denied, Some("not_a_member")).await?;
            Ok(see_other(&format!("{}/agents", member.base())))
        }
    }
}

fn mount(web: &Web, member: &Member, wish: &Parameters) -> Option<Arc<Mount>> {
    let service = wish.one("mount").ok().flatten().unwrap_or(ALL);
    web.mount_at(&member.base(), service)
}

fn wanted(member: &Member, mount: &Mount, grant: Grant, wish: &Parameters) -> NewToken {
    let one = |name| wish.one(name).ok().flatten().unwrap_or_default();
    let days = one("days").parse::<u32>().ok().filter(|days| DAYS.contains(days));
    let label = one("label").trim();
    NewToken {
        email: member.guest.person.email.clone(),
        mount: MountId::new(member.caller.workspace, mount.service),
        grant: Grant { run_budget: one("run_budget").parse().ok(), ..grant },
        expires_in: days.map(|days| DAY * days),
        label: if label.is_empty() { "personal token".to_owned() } else { label.to_owned() },
    }
}

fn made(web: &Web, member: &Member, mount: &Mount, token: &str) -> Made {
    let (name, url) = (connect::name(mount.service), mount.mcp_url());
    Made {
        shell: Shell::inside(web, member, Section::Agents),
        export: format!("export {TOKEN_VARIABLE}={token}"),
        token: token.to_owned(),
        agents: connect::each(|agent: Agent| agent.with_token(name, &url)),
    }
}
