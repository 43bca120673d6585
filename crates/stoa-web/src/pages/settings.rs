//! A workspace as a whole: how long what is kept, how much may be done, taking all of it away, and its end.

pub(crate) mod delete;
pub(crate) mod export;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use stoa_identity::{
    Authorized, ManageWorkspace, Workspace, WorkspaceName, WorkspaceTarget, authorize_workspace, workspaces,
};
use stoa_store::StoreError;
use stoa_store::audit::{Act, Status};

use crate::member::Member;
use crate::pages::trouble;
use crate::respond::{Fault, page_with, see_other};
use crate::shell::{Section, Shell};
use crate::web::Web;
use crate::when::When;

#[derive(Template)]
#[template(path = "settings.html")]
struct Page<'a> {
    shell: Shell,
    problem: Option<&'a str>,
    name: &'a WorkspaceName,
    since: When,
    kept: [Line; 6],
    quotas: Vec<Line>,
    is_default: bool,
}

struct Line {
    what: &'static str,
    amount: String,
}

/// `GET /settings`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    if managing(&member).is_none() {
        return Ok(refusal(&member));
    }
    let Some(workspace) = whole(&web, &member).await? else { return Ok(see_other("/workspaces")) };
    Ok(shown(&web, &member, &workspace, StatusCode::OK, None))
}

fn shown(
    web: &Web,
    member: &Member,
    workspace: &Workspace,
    status: StatusCode,
    problem: Option<&str>,
) -> Response {
    let shell = Shell::inside(web, member, Section::Settings);
    let kept = shell.texts().settings.kept.map(|(what, how_long)| Line { what, amount: how_long.to_owned() });
    let quotas = web.faces().iter().flat_map(|face| &face.quotas);
    let line = |quota: &crate::web::Quota| Line {
        what: (quota.says)(shell.language),
        amount: quota.amount.to_string(),
    };
    let name = &workspace.name;
    let page = Page {
        problem,
        name,
        since: shell.when(web, workspace.created_at),
        kept,
        quotas: quotas.map(line).collect(),
        is_default: *name == WorkspaceName::of_default(),
        shell,
    };
    page_with(status, &page)
}

/// The workspace. `None`: it was deleted meanwhile.
async fn whole(web: &Web, member: &Member) -> Result<Option<Workspace>, StoreError> {
    let named = workspaces::by_name(web.db(), &member.workspace).await?;
    Ok(named.filter(|workspace| workspace.id == member.caller.workspace))
}

/// The right to decide about the workspace as a whole. `None`: the person owns it not.
fn managing(member: &Member) -> Option<Authorized<WorkspaceTarget, ManageWorkspace>> {
    authorize_workspace(&member.caller).ok()
}

/// What anybody is told who does not own the workspace.
fn refusal(member: &Member) -> Response {
    let visitor = &member.guest.visitor;
    trouble::plain(visitor, StatusCode::FORBIDDEN, visitor.language.texts().settings.owners_only)
}

/// Closes the act of a person who does not own the workspace, and says so.
async fn not_allowed(member: &Member, act: &Act) -> Result<Response, Fault> {
    act.close(Status::Denied, Some("not_allowed")).await?;
    Ok(refusal(member))
}
