//! Who belongs to a workspace, and who is invited.

pub(crate) mod invite;
pub(crate) mod leave;
pub(crate) mod remove;
pub(crate) mod role;
pub(crate) mod withdraw;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use stoa_base::AccountId;
use stoa_identity::members::{self, ManageMemberError};
use stoa_identity::{
    Authorized, Invitation, ManageMembers, Membership, Role, WorkspaceTarget, authorize_workspace,
    invitations,
};
use stoa_store::audit::{Act, Status};

use crate::member::Member;
use crate::respond::{Fault, page_with, see_other};
use crate::shell::{Section, Shell};
use crate::web::Web;
use crate::when::When;

#[derive(Template)]
#[template(path = "members.html")]
struct Page {
    shell: Shell,
    workspace: String,
    problem: Option<&'static str>,
    people: Vec<Person>,
    /// What the person may make of others; nothing: they only see who is there.
    may_give: Vec<Choice>,
    can_mail: bool,
    invitations: Vec<Invited>,
}

struct Person {
    id: AccountId,
    email: String,
    role: &'static str,
    since: When,
    is_disabled: bool,
    is_me: bool,
    /// The roles to choose from, where the person who looks decides about this one.
    roles: Vec<Choice>,
}

struct Choice {
    name: &'static str,
    label: &'static str,
    about: &'static str,
    is_now: bool,
}

struct Invited {
    id: String,
    email: Option<String>,
    role: &'static str,
    until: When,
}

/// `GET /members`.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    shown(&web, &member, StatusCode::OK, None).await
}

async fn shown(
    web: &Web,
    member: &Member,
    status: StatusCode,
    problem: Option<&'static str>,
) -> Result<Response, Fault> {
    let shell = Shell::inside(web, member, Section::Members);
    let all = members::list(web.db(), member.caller.workspace).await?;
    let people = all.iter().map(|one| person(web, &shell, member, one)).collect();
    let invitations = match managing(member) {
        Some(by) => invitations::list(web.db(), &by).await?,
        None => Vec::new(),
    };
    let now = web.ambient().now();
    let open = invitations
        .iter()
        .filter(|one| one.accepted_at.is_none() && one.withdrawn_at.is_none() && one.expires_at > now);
    let invitations = open.map(|one| invited(web, &shell, one)).collect();
    let may_give = choices(&shell, member.caller.role, Role::Member);
    let (workspace, can_mail) = (member.workspace.to_string(), web.mailer().is_some());
    let page = Page { shell, workspace, problem, people, may_give, can_mail, invitations };
    Ok(page_with(status, &page))
}

/// The right to decide who belongs here. `None`: the person only sees it.
fn managing(member: &Member) -> Option<Authorized<WorkspaceTarget, ManageMembers>> {
    authorize_workspace(&member.caller).ok()
}

fn person(web: &Web, shell: &Shell, member: &Member, one: &Membership) -> Person {
    let decides = Invitation::may_give(member.caller.role, one.role);
    Person {
        id: one.account,
        email: one.email.to_string(),
        role: shell.texts().members.role(one.role),
        since: shell.when(web, one.since),
        is_disabled: one.is_disabled,
        is_me: one.account == member.caller.account,
        roles: if decides { choices(shell, member.caller.role, one.role) } else { Vec::new() },
    }
}

/// The roles that somebody with the role `giver` may give.
fn choices(shell: &Shell, giver: Role, now: Role) -> Vec<Choice> {
    let t = &shell.texts().members;
    let may_give = [Role::Member, Role::Admin, Role::Owner].into_iter();
    let choice = |role: Role| Choice {
        name: role.as_str(),
        label: t.role(role),
        about: t.may(role),
        is_now: role == now,
    };
    may_give.filter(|role| Invitation::may_give(giver, *role)).map(choice).collect()
}

fn invited(web: &Web, shell: &Shell, one: &Invitation) -> Invited {
    Invited {
        id: one.id.to_string(),
        email: one.email.as_ref().map(ToString::to_string),
        role: shell.texts().members.role(one.role),
        until: shell.when(web, one.expires_at),
    }
}

/// Closes the act of a person who may not decide who belongs here, and says so.
async fn not_allowed(web: &Web, member: &Member, act: &Act) -> Result<Response, Fault> {
    act.close(Status::Denied, Some("not_allowed")).await?;
    let problem = member.guest.visitor.language.texts().members.not_allowed;
    shown(web, member, StatusCode::FORBIDDEN, Some(problem)).await
}

/// Answers what became of a member.
async fn answered(
    web: &Web,
    member: &Member,
    act: &Act,
    done: Result<(), ManageMemberError>,
) -> Result<Response, Fault> {
    let t = &member.guest.visitor.language.texts().members;
    let (status, code, problem) = match done {
        Ok(()) => return Ok(see_other(&format!("{}/members", member.base()))),
        Err(ManageMemberError::NotAMember) => (StatusCode::NOT_FOUND, "not_found", t.unknown),
        Err(ManageMemberError::OwnersOnly) => (StatusCode::FORBIDDEN, "owners_only", t.owners_only),
        Err(ManageMemberError::LastOwner) => (StatusCode::CONFLICT, "last_owner", t.last_owner),
        Err(ManageMemberError::Store(error)) => return Err(error.into()),
    };
    act.close(Status::Denied, Some(code)).await?;
    shown(web, member, status, Some(problem)).await
}
