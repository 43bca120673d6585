//! Who asks for a page of a workspace, and belongs to it.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use serde_json::Value;
use stoa_base::WorkspaceId;
use stoa_identity::{Caller, MountId, WorkspaceName, sessions, workspaces};
use stoa_site::ALL;
use stoa_store::audit::Act;

use crate::named::param;
use crate::pages::trouble;
use crate::respond::Fault;
use crate::visitor::Guest;
use crate::web::Web;

/// A person who is signed in, in the workspace that the path names, to which they belong. For anybody else a
/// workspace that there is and one that there is not are the same.
#[derive(Clone, Debug)]
pub struct Member {
    /// The person.
    pub guest: Guest,
    /// The name of the workspace.
    pub workspace: WorkspaceName,
    /// The person as a caller of operations there, with every scope that the services have.
    pub caller: Arc<Caller>,
}

impl Member {
    /// Opens the act of a page in the workspace. The arguments never hold a secret.
    #[must_use]
    pub fn act(&self, web: &Web, what: &str, arguments: Value) -> Act {
        self.guest.act_in(web, self.caller.workspace, what, arguments)
    }

    /// What stands before the paths of the workspace's pages: nothing for `default`.
    #[must_use]
    pub fn base(&self) -> String {
        base_of(&self.workspace)
    }
}

/// What stands before the paths of a workspace's pages.
pub(crate) fn base_of(workspace: &WorkspaceName) -> String {
    if *workspace == WorkspaceName::of_default() { String::new() } else { format!("/w/{workspace}") }
}

impl FromRequestParts<Web> for Member {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        let guest = Guest::from_request_parts(parts, web).await?;
        let name = named(parts, web).await;
        match belonging(web, &guest, name).await {
            Ok(Some((workspace, caller))) => Ok(Self { guest, workspace, caller }),
            Ok(None) => {
                let problem = guest.visitor.language.texts().trouble.not_a_member;
                Err(trouble::plain(&guest.visitor, StatusCode::FORBIDDEN, problem))
            }
            Err(fault) => Err(fault.into_response()),
        }
    }
}

/// The workspace of the path. `None`: what stands there can't be a name.
async fn named(parts: &mut Parts, web: &Web) -> Option<WorkspaceName> {
    let name = param(parts, web, "workspace").await.ok()?;
    name.map_or_else(|| Some(WorkspaceName::of_default()), |name| name.parse().ok())
}

async fn belonging(
    web: &Web,
    guest: &Guest,
    name: Option<WorkspaceName>,
) -> Result<Option<(WorkspaceName, Arc<Caller>)>, Fault> {
    let Some(name) = name else { return Ok(None) };
    let Some(workspace) = id_of(web, &name).await? else { return Ok(None) };
    let mount = MountId::new(workspace, ALL);
    let caller = sessions::caller(web.door(), &guest.person, mount, &web.scopes()).await?;
    Ok(caller.map(|caller| (name, caller)))
}

/// The house's own workspace is known; others are looked up.
async fn id_of(web: &Web, name: &WorkspaceName) -> Result<Option<WorkspaceId>, Fault> {
    if *name == WorkspaceName::of_default() {
        return Ok(Some(web.default()));
    }
    Ok(workspaces::by_name(web.db(), name).await?.map(|workspace| workspace.id))
}
