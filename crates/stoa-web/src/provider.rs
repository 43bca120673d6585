//! The OpenID provider at which people may sign in. Asking it is the part of whoever puts the pages together.

use futures::future::BoxFuture;
use stoa_identity::oidc::{OidcCeremony, OidcIdentity};

/// An OpenID provider (OpenID Connect Core 1.0).
pub trait Provider: Send + Sync {
    /// What people know it as.
    fn name(&self) -> &str;

    /// Its issuer identifier.
    fn issuer(&self) -> &str;

    /// Where the browser goes to sign in there; where `is_again`, to do so although it did before.
    fn sign_in_url<'a>(
        &'a self,
        ceremony: &'a OidcCeremony,
        is_again: bool,
    ) -> BoxFuture<'a, Result<String, ProviderError>>;

    /// Who came back with this code, as the provider proves.
    fn identify<'a>(
        &'a self,
        ceremony: &'a OidcCeremony,
        code: String,
    ) -> BoxFuture<'a, Result<OidcIdentity, ProviderError>>;
}

/// Why a provider was of no help. What it says is for the log: the person can do nothing about it.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It could not be asked, or what it says of itself can't be used.
    #[error("the OpenID provider can't be asked: {0}")]
    Unreachable(String),
    /// It did not take the code, or proves nothing of who came with it.
    #[error("the OpenID provider proved nothing: {0}")]
    Unproven(String),
}
