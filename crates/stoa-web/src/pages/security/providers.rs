//! The identities elsewhere by which a person signs in.

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use stoa_identity::oidc::{self, UnlinkError};

use super::done;
use super::refusal::Refusal;
use crate::respond::Fault;
use crate::shell::Shell;
use crate::visitor::Guest;
use crate::web::Web;
use crate::when::When;

pub(super) const UNLINKED: &str = "provider-unlinked";

/// An identity of the list.
pub(super) struct Provider {
    /// What the person knows the provider as.
    pub name: String,
    pub issuer: String,
    pub subject: String,
    pub since: When,
    pub last_used: When,
}

#[derive(Deserialize)]
pub(super) struct Unlinked {
    #[serde(default)]
    issuer: String,
    #[serde(default)]
    subject: String,
}

/// The person's identities. The provider that is configured has a name.
pub(super) async fn all(web: &Web, guest: &Guest, shell: &Shell) -> Result<Vec<Provider>, Fault> {
    let name = |issuer: &str| {
        let configured = web.provider().filter(|provider| provider.issuer() == issuer);
        configured.map_or(issuer, |provider| provider.name()).to_owned()
    };
    let links = oidc::links(web.door(), &guest.person).await?;
    let provider = |link: stoa_identity::OidcLink| Provider {
        name: name(&link.issuer),
        since: shell.when(web, link.created_at),
        last_used: shell.when(web, link.last_used_at),
        issuer: link.issuer,
        subject: link.subject,
    };
    Ok(links.into_iter().map(provider).collect())
}

/// `POST /security/providers/unlink`.
pub(super) async fn unlink(
    State(web): State<Web>,
    guest: Guest,
    Form(Unlinked { issuer, subject }): Form<Unlinked>,
) -> Result<Response, Fault> {
    let act = guest.act(&web, "unlink provider", json!({}));
    let t = &guest.visitor.language.texts().security;
    let refusal = match oidc::unlink(web.door(), &act, &guest.person, &issuer, &subject).await {
        Ok(()) => return Ok(done(UNLINKED)),
        Err(UnlinkError::NotFresh(_)) => Refusal::not_fresh(),
        Err(UnlinkError::Missing) => Refusal::not_found(&guest),
        Err(UnlinkError::LastWay) => Refusal::conflict("last_way", t.provider_last_way),
        Err(UnlinkError::Store(error)) => return Err(error.into()),
    };
    refusal.show(&web, &guest, &act).await
}
