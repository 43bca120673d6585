//! A member's removal.

use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_base::AccountId;
use stoa_identity::members::{self, ManageMemberError};

use crate::member::Member;
use crate::named::Named;
use crate::respond::Fault;
use crate::web::Web;

/// `POST /members/{id}/remove`.
pub(crate) async fn remove(
    State(web): State<Web>,
    Named(account): Named<AccountId>,
    member: Member,
) -> Result<Response, Fault> {
    let act = member.act(&web, "member remove", json!({ "account": account }));
    let Some(by) = super::managing(&member) else { return super::not_allowed(&web, &member, &act).await };
    let removed = match account {
        Some(account) => members::dismiss(web.db(), web.ambient(), &act, &by, account).await,
        None => Err(ManageMemberError::NotAMember),
    };
    super::answered(&web, &member, &act, removed).await
}
