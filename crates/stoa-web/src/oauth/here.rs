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

impl Here {
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
        let nothing = || StatusCode::NOT_FOUND.into_response();
        let mount = web.mounts().find_authorization(authority, parts.uri.path()).ok_or_else(nothing)?;
        let profile = web.profile(&mount).await.map_err(|error| Fault::from(error).into_response())?;
        Ok(Self { mount, profile: profile.ok_or_else(nothing)? })
    }
}
