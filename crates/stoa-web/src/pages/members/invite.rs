//! Inviting somebody: the answer is the one time that the link is shown, and says whether it was mailed as well.

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

use crate::mailer::{Letter, Matter};
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
    /// Whether the link was mailed; `None`: nobody meant it to be.
    is_mailed: Option<bool>,
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
        Ok(added) => {
            let is_mailed = mailed(&web, &member, &added).await;
            Ok(page(&made(&web, &member, &added, is_mailed)))
        }
        Err(AddInvitationError::RoleTooHigh) => {
            act.close(Status::Denied, Some("owners_only")).await?;
            super::shown(&web, &member, StatusCode::FORBIDDEN, Some(texts.members.owners_only)).await
        }
        Err(AddInvitationError::Store(error)) => Err(error.into()),
    }
}

/// Mails the invitation to the address that it is for, before the answer, which is to tell the truth.
async fn mailed(web: &Web, member: &Member, added: &AddedInvitation) -> Option<bool> {
    let (mailer, to) = (web.mailer()?, added.invitation.email.clone()?);
    let (workspace, by) = (member.workspace.clone(), member.guest.person.email.clone());
    let letter = Letter {
        to,
        language: member.guest.visitor.language,
        house: web.public_url().to_owned(),
        link: web.link("invite", &added.secret),
        about: Matter::Invitation { workspace, role: added.invitation.role, by },
    };
    let sent = mailer.send(&letter).await;
    if let Err(error) = &sent {
        tracing::error!(%error, "an invitation could not be mailed");
    }
    Some(sent.is_ok())
}

fn made(web: &Web, member: &Member, added: &AddedInvitation, is_mailed: Option<bool>) -> Made {
    let shell = Shell::inside(web, member, Section::Members);
    let invitation = &added.invitation;
    Made {
        link: web.link("invite", &added.secret),
        email: invitation.email.as_ref().map(ToString::to_string),
        role: shell.texts().members.role(invitation.role),
        until: shell.when(web, invitation.expires_at),
        is_mailed,
        shell,
    }
}
