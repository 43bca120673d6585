//! A person's own leaving.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use stoa_identity::members::{self, RemoveMemberError};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// `POST /members/leave`. Who has left a moment ago has left.
pub(crate) async fn leave(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    let (workspace, account) = (member.caller.workspace, member.caller.account);
    let act = member.act(&web, "member leave", json!({}));
    match members::remove(web.db(), web.ambient(), &act, workspace, account).await {
        Ok(()) => Ok(see_other("/workspaces")),
        Err(RemoveMemberError::NotAMember) => {
            act.close(Status::Denied, Some("not_found")).await?;
            Ok(see_other("/workspaces"))
        }
        Err(RemoveMemberError::LastOwner) => {
            act.close(Status::Denied, Some("last_owner")).await?;
            let problem = member.guest.visitor.language.texts().members.last_owner;
            super::shown(&web, &member, StatusCode::CONFLICT, Some(problem)).await
        }
        Err(RemoveMemberError::Store(error)) => Err(error.into()),
    }
}
