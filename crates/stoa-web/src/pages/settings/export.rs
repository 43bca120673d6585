//! All that a workspace has, to take away.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use serde_json::json;
use stoa_store::audit::Status;

use crate::member::Member;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// `POST /settings/export`. A form, so that no link elsewhere makes the server read a whole workspace.
pub(crate) async fn export(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    let act = member.act(&web, "workspace export", json!({}));
    if super::managing(&member).is_none() {
        return super::not_allowed(&member, &act).await;
    }
    let Some(workspace) = super::whole(&web, &member).await? else {
        act.close(Status::Denied, Some("not_found")).await?;
        return Ok(see_other("/workspaces"));
    };
    let download = web.tenancy().export(workspace).await?;
    act.close(Status::Ok, None).await?;
    // A workspace's name has nothing in it that a header would mind.
    let named = format!("attachment; filename=\"stoa-{}.tar.gz\"", member.workspace);
    let headers = [
        (CONTENT_TYPE, "application/gzip".to_owned()),
        (CONTENT_LENGTH, download.length.to_string()),
        (CONTENT_DISPOSITION, named),
    ];
    Ok((headers, Body::from_stream(download.bytes)).into_response())
}
