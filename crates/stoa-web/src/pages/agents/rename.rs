//! Another name for an agent.

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use stoa_base::InstallationId;
use stoa_identity::{TokenPlace, installations};
use stoa_store::audit::Status;

use crate::member::Member;
use crate::named::Named;
use crate::respond::{Fault, see_other};
use crate::web::Web;

#[derive(Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    label: String,
}

/// `POST /agents/{id}/rename`.
pub(crate) async fn rename(
    State(web): State<Web>,
    Named(installation): Named<InstallationId>,
    member: Member,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    if let Some(installation) = installation {
        let act = member.act(&web, "rename agent", json!({ "installation": installation }));
        let place = TokenPlace { workspace: member.caller.workspace, installation };
        if !installations::rename(web.db(), &act, member.caller.account, &place, &filled.label).await? {
            act.close(Status::Denied, Some("not_found")).await?;
        }
    }
    Ok(see_other(&format!("{}/agents", member.base())))
}
