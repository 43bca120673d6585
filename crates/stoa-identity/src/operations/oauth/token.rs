//! The token endpoint (RFC 6749 section 3.2).

use stoa_store::StoreError;

use super::OAuth;
use super::authorize::check_resource;
use crate::Visit;
use crate::model::oauth::answer::TokenAnswer;
use crate::model::oauth::client::OAuthClient;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::request::{Parameters, Repeated};

/// Why no tokens are given.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// A parameter is missing or stands twice; which is said.
    #[error("{0}")]
    InvalidRequest(String),
    /// The client is not known here (HTTP 401).
    #[error("this client is not known here; register again")]
    InvalidClient,
    /// There is no such grant type.
    #[error("grant_type must be authorization_code or refresh_token")]
    UnsupportedGrantType,
    /// The code or the refresh token is not good. Unknown, over, used, another client's, of another mount,
    /// revoked, not proved: nobody is told which.
    #[error("the code or the refresh token is not good; authorize again")]
    InvalidGrant,
    /// More was asked for than was granted.
    #[error("a refresh may narrow the scope, not widen it")]
    InvalidScope,
    /// Tokens for another resource than this mount were asked for.
    #[error("resource names another server than this one")]
    InvalidTarget,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TokenError {
    /// The error code of RFC 6749 section 5.2, or of RFC 8707 section 2.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Self::InvalidClient => ErrorCode::InvalidClient,
            Self::UnsupportedGrantType => ErrorCode::UnsupportedGrantType,
            Self::InvalidGrant => ErrorCode::InvalidGrant,
            Self::InvalidScope => ErrorCode::InvalidScope,
            Self::InvalidTarget => ErrorCode::InvalidTarget,
            Self::Store(_) => ErrorCode::ServerError,
        }
    }
}

impl From<Repeated> for TokenError {
    fn from(repeated: Repeated) -> Self {
        Self::InvalidRequest(repeated.to_string())
    }
}

/// A token request whose client is known.
pub(super) struct Asking<'a> {
    pub profile: &'a MountProfile,
    pub client: OAuthClient,
    pub parameters: &'a Parameters,
    pub visit: &'a Visit,
}

impl Asking<'_> {
    /// A parameter that must be there.
    pub fn needed(&self, name: &'static str) -> Result<&str, TokenError> {
        let value = self.parameters.one(name)?;
        value.ok_or_else(|| TokenError::InvalidRequest(format!("{name} is missing")))
    }
}

impl OAuth {
    /// Exchanges a code or a refresh token for a pair of tokens that are good at this mount. The answer must not be
    /// kept by anybody between (`Cache-Control: no-store`).
    ///
    /// # Errors
    /// [`TokenError`] knows its code.
    pub async fn token(
        &self,
        profile: &MountProfile,
        parameters: &Parameters,
        visit: &Visit,
    ) -> Result<TokenAnswer, TokenError> {
        let grant_type = parameters.one("grant_type")?;
        let grant_type =
            grant_type.ok_or_else(|| TokenError::InvalidRequest("grant_type is missing".to_owned()))?;
        let asking =
            Asking { profile, client: self.client_of(profile, parameters).await?, parameters, visit };
        check_resource(profile, parameters).map_err(|_| TokenError::InvalidTarget)?;
        match grant_type {
            "authorization_code" => self.exchange(&asking).await,
            "refresh_token" => self.refresh(&asking).await,
            _ => Err(TokenError::UnsupportedGrantType),
        }
    }

    /// The client that a request to the token or revocation endpoint names. The network is never asked.
    pub(super) async fn client_of(
        &self,
        profile: &MountProfile,
        parameters: &Parameters,
    ) -> Result<OAuthClient, TokenError> {
        let client_id = parameters.one("client_id")?.ok_or(TokenError::InvalidClient)?;
        self.known_client(&profile.mount, client_id).await?.ok_or(TokenError::InvalidClient)
    }
}
