//! The end of an agent's access.

use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_base::InstallationId;
use stoa_identity::{TokenPlace, installations};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::named::Named;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// `POST /agents/{id}/end`. An agent that is not the person's, or has ended, is no error: it has no access.
pub(crate) async fn end(
    State(web): State<Web>,
    Named(installation): Named<InstallationId>,
    member: Member,
) -> Result<Response, Fault> {
    if let Some(installation) = installation {
        let act = member.act(&web, "end agent", json!({ "installation": installation }));
        let place = TokenPlace { workspace: member.caller.workspace, installation };
        if !installations::end(web.db(), web.ambient(), &act, member.caller.account, &place).await? {
            act.close(Status::Denied, Some("not_found")).await?;
        }
    }
    Ok(see_other(&format!("{}/agents", member.base())))
}
