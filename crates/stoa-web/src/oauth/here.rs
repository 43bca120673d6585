//! The mount whose authorization server was asked.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use stoa_identity::{MountProfile, Sighting, traces};
use stoa_site::{Mount, host};

use crate::respond::Fault;
use crate::visitor::Visitor;
use crate::web::Web;

/// A mount, and what its authorization server knows of it.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    pub mount: Arc<Mount>,
    pub profile: MountProfile,
}

/// Where a mount's base may end in a path of its authorization server.
const MARKS: [&str; 6] = ["/oauth/", "/api/oauth/", "/register", "/authorize", "/token", "/revoke"];

impl Here {
    /// The mount whose base stands before a path of its authorization server. Which paths those are, the router
    /// says; here it is only found where they begin.
    async fn of(web: &Web, authority: &str, path: &str) -> Result<Option<Self>, Fault> {
        let bases = MARKS.iter().filter_map(|mark| path.rfind(mark)).map(|end| &path[..end]);
        let mount = bases.into_iter().find_map(|base| web.mounts().find_under(authority, base));
        let Some(mount) = mount else { return Ok(None) };
        Ok(web.profile(&mount).await?.map(|profile| Self { mount, profile }))
    }

    /// Notes what a client was about, for its person's diagnosis. That it could not be noted is only logged: the
    /// client is answered all the same.
    pub async fn note(&self, web: &Web, visitor: &Visitor, sighting: Sighting<'_>) {
        let noted =
            traces::record(web.db(), web.ambient(), &self.profile.mount, sighting, &visitor.visit).await;
        if let Err(error) = noted {
            tracing::warn!(%error, "a client's step could not be noted");
        }
    }
}

impl FromRequestParts<Web> for Here {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        let authority = host::authority(&parts.uri, &parts.headers)
            .map_err(|unfit| (unfit.status(), unfit.to_string()).into_response())?;
        let here = Self::of(web, authority, parts.uri.path()).await.map_err(IntoResponse::into_response)?;
        here.ok_or_else(|| StatusCode::NOT_FOUND.into_response())
    }
}
