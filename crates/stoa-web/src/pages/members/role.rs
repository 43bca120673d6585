//! Another role for a member.

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use stoa_base::AccountId;
use stoa_identity::Role;
use stoa_identity::members::{self, ManageMemberError};

use crate::member::Member;
use crate::named::Named;
use crate::respond::Fault;
use crate::web::Web;

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    role: String,
}

/// `POST /members/{id}/role`.
pub(crate) async fn set(
    State(web): State<Web>,
    Named(account): Named<AccountId>,
    member: Member,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let role = filled.role.parse::<Role>().ok();
    let act = member.act(&web, "member role", json!({ "account": account, "role": role }));
    let Some(by) = super::managing(&member) else { return super::not_allowed(&web, &member, &act).await };
    let set = match (account, role) {
        (Some(account), Some(role)) => members::set_role(web.db(), &act, &by, account, role).await,
        _ => Err(ManageMemberError::NotAMember),
    };
    super::answered(&web, &member, &act, set).await
}
