//! The end of an agent's access.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;
use stoa_identity::{TokenPlace, installations};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// `POST /agents/{id}/end`. An agent that is not the person's, or has ended, is no error: it has no access.
pub(crate) async fn end(
    State(web): State<Web>,
    Path(path): Path<HashMap<String, String>>,
    member: Member,
) -> Result<Response, Fault> {
    if let Some(installation) = super::named(&path) {
        let act = member.act(&web, "end agent", json!({ "installation": installation }));
        let place = TokenPlace { workspace: member.workspace.id, installation };
        if !installations::end(web.db(), web.ambient(), &act, member.caller.account, &place).await? {
            act.close(Status::Denied, Some("not_found")).await?;
        }
    }
    Ok(see_other(&format!("{}/agents", member.base())))
}
