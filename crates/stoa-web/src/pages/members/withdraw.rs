//! The end of an invitation.

use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_identity::{InvitationId, invitations};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::named::Named;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// `POST /invitations/{id}/withdraw`. One that is not there, or is over, is no error: nobody can accept it.
pub(crate) async fn withdraw(
    State(web): State<Web>,
    Named(id): Named<InvitationId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "invitation withdraw", json!({ "invitation": id }));
    let Some(by) = super::managing(&member) else { return super::not_allowed(&web, &member, &act).await };
    let withdrawn = match id {
        Some(id) => invitations::withdraw(web.db(), web.ambient(), &act, &by, id).await?,
        None => false,
    };
    if !withdrawn {
        act.close(Status::Denied, Some("not_found")).await?;
    }
    Ok(see_other(&format!("{}/members", member.base())))
}
