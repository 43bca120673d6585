//! Inviting somebody: the answer is the one time that the link is shown.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::invitations::{self, AddInvitationError, AddedInvitation, NewInvitation};
use stoa_identity::{Email, Role};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, page};
use crate::shell::{Section, Shell};
use crate::web::Web;
use crate::when::When;

#[derive(Template)]
#[template(path = "made_invitation.html")]
struct Made {
    shell: Shell,
    link: String,
    email: Option<String>,
    role: &'static str,
    until: When,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    email: String,
    #[serde(default)]
    role: String,
}

/// `POST /invitations`. Without an address the link is good for whoever has it.
pub(crate) async fn make(
    State(web): State<Web>,
    member: Member,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let texts = member.guest.visitor.language.texts();
    let role = filled.role.parse::<Role>().unwrap_or(Role::Member);
    let act = member.act(&web, "invitation add", json!({ "role": role }));
    let Some(by) = super::managing(&member) else { return super::not_allowed(&web, &member, &act).await };
    // Without an address, whoever has the link may come.
    let text = Some(filled.email.trim()).filter(|text| !text.is_empty());
    let Ok(email) = text.map(str::parse::<Email>).transpose() else {
        act.close(Status::Error, Some("not_an_email")).await?;
        let problem = Some(texts.setup.not_an_email);
        return super::shown(&web, &member, StatusCode::BAD_REQUEST, problem).await;
    };
    match invitations::add(web.db(), web.ambient(), &act, &by, NewInvitation { role, email }).await {
        Ok(added) => Ok(page(&made(&web, &member, &added))),
        Err(AddInvitationError::RoleTooHigh) => {
            act.close(Status::Denied, Some("owners_only")).await?;
            super::shown(&web, &member, StatusCode::FORBIDDEN, Some(texts.members.owners_only)).await
        }
        Err(AddInvitationError::Store(error)) => Err(error.into()),
    }
}

fn made(web: &Web, member: &Member, added: &AddedInvitation) -> Made {
    let shell = Shell::inside(web, member, Section::Members);
    let invitation = &added.invitation;
    Made {
        link: format!("{}/invite#{}", web.public_url(), added.secret.expose()),
        email: invitation.email.as_ref().map(ToString::to_string),
        role: shell.texts().members.role(invitation.role),
        until: shell.when(web, invitation.expires_at),
        shell,
    }
}
