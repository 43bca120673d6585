//! The end of a workspace.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::WorkspaceName;
use stoa_identity::workspaces::DeleteWorkspaceError;
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, page, see_other};
use crate::shell::{Section, Shell};
use crate::web::Web;

#[derive(Template)]
#[template(path = "deleted.html")]
struct Page<'a> {
    shell: Shell,
    name: &'a WorkspaceName,
}

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    name: String,
}

/// `POST /settings/delete`, with the workspace's name: nobody types that by mistake. A refusal stands in the
/// workspace's own audit, the deletion in the house's, since the other goes with the workspace.
pub(crate) async fn delete(
    State(web): State<Web>,
    member: Member,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let t = &member.guest.visitor.language.texts().settings;
    let refused = || member.act(&web, "workspace delete", json!({}));
    if super::managing(&member).is_none() {
        return super::not_allowed(&member, &refused()).await;
    }
    let Some(workspace) = super::whole(&web, &member).await? else { return Ok(see_other("/workspaces")) };
    let name = &workspace.name;
    if filled.name.trim() != name.as_str() {
        refused().close(Status::Denied, Some("other_name")).await?;
        return Ok(super::shown(&web, &member, &workspace, StatusCode::BAD_REQUEST, Some(t.other_name)));
    }
    let arguments = json!({ "name": name, "workspace": workspace.id });
    let act = member.guest.act(&web, "workspace delete", arguments);
    match web.tenancy().delete(act.clone(), workspace.clone()).await {
        Ok(()) => {
            let shell = Shell::of(&web, &member.guest, Section::None);
            Ok(page(&Page { shell, name }))
        }
        Err(DeleteWorkspaceError::IsDefault) => {
            act.close(Status::Denied, Some("is_default")).await?;
            Ok(super::shown(&web, &member, &workspace, StatusCode::CONFLICT, Some(t.is_default)))
        }
        Err(DeleteWorkspaceError::Gone(_)) => {
            act.close(Status::Denied, Some("not_found")).await?;
            Ok(see_other("/workspaces"))
        }
        Err(DeleteWorkspaceError::Store(error)) => Err(error.into()),
    }
}
