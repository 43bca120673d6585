//! The agents that a person connected.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;
use stoa_base::InstallationId;
use stoa_identity::{Connection, TokenPlace, installations};
use stoa_store::audit::Status;

use crate::respond::{Fault, page, see_other};
use crate::shell::{Section, Shell};
use crate::texts::Texts;
use crate::visitor::Guest;
use crate::web::Web;

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
    since: String,
    last_used: String,
}

/// `GET /agents`.
pub(crate) async fn show(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let default = web.default();
    let all = installations::of_account(web.db(), web.ambient(), default, guest.person.account).await?;
    let shell = Shell::of(&guest, Section::Agents);
    let live = all.iter().filter(|one| one.installation.revoked_at.is_none());
    let agents = live.map(|one| agent(one, shell.texts())).collect();
    Ok(page(&Page { shell, agents }))
}

fn agent(one: &Connection, texts: &Texts) -> Agent {
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
        since: installation.created_at.to_string(),
        last_used: installation.last_used_at.map_or_else(|| t.never_used.to_owned(), |at| at.to_string()),
    }
}

/// `POST /agents/{id}/end`. An agent that is not the person's, or has ended, is no error: it has no access.
pub(crate) async fn end(
    State(web): State<Web>,
    Path(id): Path<String>,
    guest: Guest,
) -> Result<Response, Fault> {
    if let Ok(id) = id.parse::<InstallationId>() {
        let act = guest.act(&web, "end agent", json!({ "installation": id }));
        let place = TokenPlace { workspace: web.default(), installation: id };
        if !installations::end(web.db(), web.ambient(), &act, guest.person.account, &place).await? {
            act.close(Status::Denied, Some("not_found")).await?;
        }
    }
    Ok(see_other("/agents"))
}
