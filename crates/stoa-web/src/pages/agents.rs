//! The agents that a person connected.

use std::collections::HashMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;
use stoa_base::InstallationId;
use stoa_identity::{Connection, TokenPlace, installations};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, page, see_other};
use crate::shell::{Section, Shell};
use crate::web::Web;
use crate::when::When;

#[derive(Template)]
#[template(path = "agents.html")]
struct Page {
    shell: Shell,
    agents: Vec<Agent>,
}

struct Agent {
    id: String,
    label: String,
    place: String,
    client: String,
    scopes: Vec<String>,
    budget: String,
    since: When,
    last_used: Option<When>,
}

/// `GET /agents`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    let (workspace, account) = (member.workspace.id, member.caller.account);
    let all = installations::of_account(web.db(), web.ambient(), workspace, account).await?;
    let shell = Shell::inside(&web, &member, Section::Agents);
    let live = all.iter().filter(|one| one.installation.revoked_at.is_none());
    let agents = live.map(|one| agent(&web, &shell, one)).collect();
    Ok(page(&Page { shell, agents }))
}

fn agent(web: &Web, shell: &Shell, one: &Connection) -> Agent {
    let texts = shell.texts();
    let installation = &one.installation;
    let t = &texts.agents;
    let client = match &one.client {
        None => t.personal_token.to_owned(),
        Some(client) => client.name.clone().unwrap_or_else(|| texts.consent.nameless.to_owned()),
    };
    let running = installation.client.as_ref().map(|client| format!("{} {}", client.name, client.version));
    Agent {
        id: installation.id.to_string(),
        label: installation.label.clone(),
        place: installation.mount.service.clone(),
        client: running.map_or_else(|| client.clone(), |running| format!("{client} ({running})")),
        scopes: installation.grant.scopes.iter().map(str::to_owned).collect(),
        budget: installation
            .grant
            .run_budget
            .map_or_else(|| t.budget_default.to_owned(), |most| most.to_string()),
        since: shell.when(web, installation.created_at),
        last_used: installation.last_used_at.map(|at| shell.when(web, at)),
    }
}

/// `POST /agents/{id}/end`. An agent that is not the person's, or has ended, is no error: it has no access.
pub(crate) async fn end(
    State(web): State<Web>,
    Path(path): Path<HashMap<String, String>>,
    member: Member,
) -> Result<Response, Fault> {
    if let Some(id) = path.get("id").and_then(|id| id.parse::<InstallationId>().ok()) {
        let act = member.act(&web, "end agent", json!({ "installation": id }));
        let place = TokenPlace { workspace: member.workspace.id, installation: id };
        if !installations::end(web.db(), web.ambient(), &act, member.caller.account, &place).await? {
            act.close(Status::Denied, Some("not_found")).await?;
        }
    }
    Ok(see_other(&format!("{}/agents", member.base())))
}
