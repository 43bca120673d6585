//! The workspaces of a person, and new ones.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::workspaces::{self, FoundWorkspaceError};
use stoa_identity::{Role, WorkspaceName};
use stoa_store::audit::Status;

use crate::member::base_of;
use crate::respond::{Fault, page_with, see_other};
use crate::shell::{Section, Shell};
use crate::visitor::Guest;
use crate::web::Web;

#[derive(Template)]
#[template(path = "workspaces.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<&'a str>,
    workspaces: Vec<One>,
    may_found: bool,
    name: &'a str,
}

struct One {
    name: String,
    path: String,
    role: &'static str,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    name: String,
}

/// `GET /workspaces`.
pub(crate) async fn show(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    shown(&web, &guest, StatusCode::OK, None, "").await
}

async fn shown(
    web: &Web,
    guest: &Guest,
    status: StatusCode,
    problem: Option<&str>,
    name: &str,
) -> Result<Response, Fault> {
    let shell = Shell::of(web, guest, Section::Workspaces);
    let all = workspaces::of_account(web.db(), guest.person.account).await?;
    let owns = |one: &stoa_identity::Belonging| one.workspace.id == web.default() && one.role == Role::Owner;
    let may_found = all.iter().any(owns);
    let one = |one: &stoa_identity::Belonging| One {
        name: one.workspace.name.to_string(),
        path: format!("{}/", base_of(&one.workspace.name)),
        role: shell.texts().members.role(one.role),
    };
    let workspaces = all.iter().map(one).collect();
    Ok(page_with(status, &Page { shell, problem, workspaces, may_found, name }))
}

/// `POST /workspaces`.
pub(crate) async fn found(
    State(web): State<Web>,
    guest: Guest,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let t = &guest.visitor.language.texts().workspaces;
    let Ok(name) = filled.name.trim().parse::<WorkspaceName>() else {
        return shown(&web, &guest, StatusCode::BAD_REQUEST, Some(t.not_a_name), &filled.name).await;
    };
    let path = format!("{}/", base_of(&name));
    let act = guest.act(&web, "workspace add", json!({ "name": name }));
    let founded = workspaces::found(web.db(), web.ambient(), &act, guest.person.account, name).await;
    let (status, code, problem) = match founded {
        Ok(workspace) => {
            web.tenancy().prepare(workspace.id).await?;
            return Ok(see_other(&path));
        }
        Err(FoundWorkspaceError::NotAllowed) => (StatusCode::FORBIDDEN, "not_allowed", t.not_allowed),
        Err(FoundWorkspaceError::NameTaken(_)) => (StatusCode::CONFLICT, "name_taken", t.name_taken),
        Err(FoundWorkspaceError::Store(error)) => return Err(error.into()),
    };
    act.close(Status::Denied, Some(code)).await?;
    shown(&web, &guest, status, Some(problem), &filled.name).await
}
