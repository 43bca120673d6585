//! The OpenID provider that is configured (`oidc`), asked behind the outbound guard.

use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use futures::FutureExt;
use futures::future::BoxFuture;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreIdTokenClaims, CoreProviderMetadata,
    CoreTokenResponse, CoreUserInfoClaims,
};
use openidconnect::{
    AccessTokenHash, AsyncHttpClient, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse,
};
use stoa_base::{Ambient, Timestamp};
use stoa_identity::OidcPolicy;
use stoa_identity::oidc::{OidcCeremony, OidcIdentity};
use stoa_outbound::{Outbound, OutboundError, OutboundSettings};
use stoa_web::{Provider, ProviderError, SIGNED_IN_ELSEWHERE};

use crate::config::{Config, Oidc};
use crate::failure::Failure;

/// The largest answer of a provider that is read, in bytes.
const LARGEST_ANSWER: usize = 256 * 1024;

/// A client of the provider, with what its metadata names.
type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The provider. What it says of itself and its keys are read anew for each sign-in: nobody signs in often enough to
/// be worth a key that is out of date.
struct Configured {
    name: String,
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: Option<ClientSecret>,
    redirect_url: RedirectUrl,
    http: Guarded,
    ambient: Ambient,
}

/// How the provider is asked.
struct Guarded(Outbound);

impl<'c> AsyncHttpClient<'c> for Guarded {
    type Error = OutboundError;
    type Future = BoxFuture<'c, Result<HttpResponse, OutboundError>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        self.0.send(request, LARGEST_ANSWER).boxed()
    }
}

/// Whom it brings in.
#[must_use]
pub fn policy(config: &Config) -> OidcPolicy {
    let Oidc { link_by_email, allowed_domains, .. } = &config.oidc;
    let domains = allowed_domains.iter().map(|domain| domain.to_ascii_lowercase());
    OidcPolicy { link_by_email: *link_by_email, allowed_domains: domains.collect() }
}

/// The provider, where there is one.
///
/// # Errors
/// [`Failure`] names the setting that can't be used.
pub fn of(config: &Config, ambient: &Ambient) -> Result<Option<Arc<dyn Provider>>, Failure> {
    let Some(issuer) = &config.oidc.issuer else { return Ok(None) };
    let wrong = |what: &str| Failure::Oidc(what.to_owned());
    let issuer = IssuerUrl::new(issuer.clone()).map_err(|_| wrong("issuer is no URL"))?;
    let host = issuer.url().host_str().filter(|_| issuer.url().scheme() == "https");
    let host = host.ok_or_else(|| wrong("issuer must be an https URL"))?.to_owned();
    if config.oidc.client_id.is_empty() {
        return Err(wrong("client_id is missing: what Stoa is called at the provider"));
    }
    let redirect_url = RedirectUrl::new(format!("{}{SIGNED_IN_ELSEWHERE}", config.public_url()));
    let secret = config.oidc.client_secret.as_ref();
    Ok(Some(Arc::new(Configured {
        name: config.oidc.name.clone().unwrap_or_else(|| host.clone()),
        client_id: ClientId::new(config.oidc.client_id.clone()),
        client_secret: secret.map(|secret| ClientSecret::new(secret.expose().to_owned())),
        redirect_url: redirect_url.map_err(|_| wrong("the public URL can't be come back to"))?,
        http: Guarded(outbound(&config.oidc, host)?),
        ambient: ambient.clone(),
        issuer,
    })))
}

/// The guard. The operator named the issuer: its host may be one of the operator's own network.
fn outbound(oidc: &Oidc, host: String) -> Result<Outbound, Failure> {
    let ca = oidc.ca_file.as_ref();
    let settings = OutboundSettings {
        private_hosts: oidc.private_hosts.iter().cloned().chain([host]).collect(),
        extra_ca: ca.map(|file| std::fs::read(file).map_err(Failure::file(file))).transpose()?,
        ..OutboundSettings::default()
    };
    Outbound::new(&settings).map_err(Failure::Outbound)
}

impl Configured {
    async fn client(&self) -> Result<Client, ProviderError> {
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = metadata.map_err(|error| ProviderError::Unreachable(whole(&error)))?;
        let (id, secret) = (self.client_id.clone(), self.client_secret.clone());
        let client = CoreClient::from_provider_metadata(metadata, id, secret);
        Ok(client.set_redirect_uri(self.redirect_url.clone()))
    }

    async fn sign_in_url(&self, ceremony: &OidcCeremony, is_again: bool) -> Result<String, ProviderError> {
        let client = self.client().await?;
        let (state, nonce) = (CsrfToken::new(ceremony.state.clone()), Nonce::new(ceremony.nonce.clone()));
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier(ceremony));
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let mut asking = client
            .authorize_url(flow, || state, || nonce)
            .add_scope(Scope::new("email".to_owned()))
            .set_pkce_challenge(challenge);
        if is_again {
            // A provider that is asked for an age says how old the proof is (OpenID Connect Core section 3.1.2.1).
            asking = asking.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        }
        Ok(asking.url().0.into())
    }

    async fn identify(&self, ceremony: &OidcCeremony, code: String) -> Result<OidcIdentity, ProviderError> {
        let client = self.client().await?;
        let asking = client.exchange_code(AuthorizationCode::new(code)).map_err(unproven)?;
        let asking = asking.set_pkce_verifier(verifier(ceremony));
        let tokens = asking.request_async(&self.http).await.map_err(unproven)?;
        let claims = self.proven(&client, &tokens, &Nonce::new(ceremony.nonce.clone()))?;
        let mut identity = OidcIdentity {
            issuer: claims.issuer().to_string(),
            subject: claims.subject().to_string(),
            email: claims.email().and_then(|email| email.parse().ok()),
            email_verified: claims.email_verified().unwrap_or(false),
            authenticated_at: claims.auth_time().map(|at| Timestamp::from_micros(at.timestamp_micros())),
        };
        // Some say the address at their userinfo endpoint only (OpenID Connect Core section 5.3).
        if claims.email().is_none()
            && let Ok(asking) =
                client.user_info(tokens.access_token().clone(), Some(claims.subject().clone()))
        {
            let told: CoreUserInfoClaims = asking.request_async(&self.http).await.map_err(unproven)?;
            identity.email = told.email().and_then(|email| email.parse().ok());
            identity.email_verified = told.email_verified().unwrap_or(false);
        }
        Ok(identity)
    }

    /// The claims of the id token, when its signature, issuer, audience, end and nonce are right, and the access token
    /// is the one that it came with (OpenID Connect Core section 3.1.3.7).
    fn proven(
        &self,
        client: &Client,
        tokens: &CoreTokenResponse,
        nonce: &Nonce,
    ) -> Result<CoreIdTokenClaims, ProviderError> {
        let now = DateTime::from_timestamp_micros(self.ambient.now().as_micros()).unwrap_or_default();
        let verifier = client.id_token_verifier().set_time_fn(move || now);
        let token = tokens.id_token().ok_or_else(|| ProviderError::Unproven("no id token".to_owned()))?;
        let claims = token.claims(&verifier, nonce).map_err(unproven)?;
        if claims.authorized_party().is_some_and(|party| **party != **client.client_id()) {
            return Err(ProviderError::Unproven("a token for another party".to_owned()));
        }
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = token.signing_alg().map_err(unproven)?;
            let key = token.signing_key(&verifier).map_err(unproven)?;
            let found = AccessTokenHash::from_token(tokens.access_token(), algorithm, key);
            if found.map_err(unproven)? != *expected {
                return Err(ProviderError::Unproven("another access token".to_owned()));
            }
        }
        Ok(claims.clone())
    }
}

impl Provider for Configured {
    fn name(&self) -> &str {
        &self.name
    }

    fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    fn sign_in_url<'a>(
        &'a self,
        ceremony: &'a OidcCeremony,
        is_again: bool,
    ) -> BoxFuture<'a, Result<String, ProviderError>> {
        self.sign_in_url(ceremony, is_again).boxed()
    }

    fn identify<'a>(
        &'a self,
        ceremony: &'a OidcCeremony,
        code: String,
    ) -> BoxFuture<'a, Result<OidcIdentity, ProviderError>> {
        self.identify(ceremony, code).boxed()
    }
}

fn verifier(ceremony: &OidcCeremony) -> PkceCodeVerifier {
    PkceCodeVerifier::new(ceremony.verifier.clone())
}

fn unproven(error: impl std::error::Error) -> ProviderError {
    ProviderError::Unproven(whole(&error))
}

/// An error with its causes: the outer ones only say that something failed.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
