//! The authorization request (RFC 6749 section 4.1.1, OAuth 2.1): is it sound?

use stoa_store::StoreError;

use super::{ClientRefused, OAuth};
use crate::Visit;
use crate::model::oauth::answer::Redirection;
use crate::model::oauth::authorization::{Authorization, Prompt};
use crate::model::oauth::client::OAuthClient;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::pkce;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::redirect_uri::{NotARedirectUri, RedirectUri};
use crate::model::oauth::request::{Parameters, Repeated};

/// The longest `state`, in bytes.
const LONGEST_STATE: usize = 2_048;

/// Why an authorization request leads nowhere.
#[derive(Debug, thiserror::Error)]
pub enum AuthorizeError {
    /// Who asks is not known. A page of ours says so; nobody is sent anywhere.
    #[error(transparent)]
    Client(#[from] ClientRefused),
    /// No `client_id` was given, or several.
    #[error("the request names no client")]
    NoClient,
    /// Where the answer should go is no place that answers may go to. A page of ours says so.
    #[error(transparent)]
    RedirectUri(#[from] NotARedirectUri),
    /// Where the answer should go is not this client's, or was not said. A page of ours says so.
    #[error("the request's redirect_uri is none that this client registered")]
    OtherRedirectUri,
    /// Something else: the client is told, at its redirect URI.
    #[error("{description}")]
    Redirect {
        /// Where to, with the answer.
        to: Redirection,
        /// What the answer says.
        code: ErrorCode,
        /// In words.
        description: String,
    },
}

impl From<StoreError> for AuthorizeError {
    fn from(error: StoreError) -> Self {
        Self::Client(error.into())
    }
}

impl AuthorizeError {
    /// What traces call it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Client(ClientRefused::Unknown) => "unknown_client",
            Self::Client(ClientRefused::Unreachable(_)) => "document_unreachable",
            Self::Client(ClientRefused::Document(_)) => "invalid_document",
            Self::Client(ClientRefused::TooMany) => "temporarily_unavailable",
            Self::Client(ClientRefused::Store(_)) => "server_error",
            Self::NoClient => "no_client",
            Self::RedirectUri(_) | Self::OtherRedirectUri => "invalid_redirect_uri",
            Self::Redirect { code, .. } => code.as_str(),
        }
    }
}

/// What a client is told.
struct Flaw(ErrorCode, String);

impl From<Repeated> for Flaw {
    fn from(repeated: Repeated) -> Self {
        Self(ErrorCode::InvalidRequest, repeated.to_string())
    }
}

/// The parameters, once it is known whom to tell what is wrong with them.
struct Sound {
    challenge: String,
    scopes: crate::Scopes,
    prompt: Prompt,
}

impl OAuth {
    /// Checks an authorization request. Nothing is written down but a client that came with a metadata document.
    ///
    /// # Errors
    /// [`AuthorizeError`] says what is wrong, and who is told.
    pub async fn authorize(
        &self,
        profile: &MountProfile,
        parameters: &Parameters,
        visit: &Visit,
    ) -> Result<Authorization, AuthorizeError> {
        let client_id = parameters.one("client_id").ok().flatten().ok_or(AuthorizeError::NoClient)?;
        let client = self.client_to_authorize(&profile.mount, client_id, visit).await?;
        let redirect_uri = redirect_uri(&client, parameters)?;
        // The state may be what is wrong: then it does not go back either.
        let state = state(parameters);
        let echoed = state.as_ref().ok().and_then(Clone::clone);
        let sound = state.and_then(|_| check(profile, parameters));
        match sound {
            Ok(Sound { challenge, scopes, prompt }) => {
                Ok(Authorization { client, redirect_uri, state: echoed, challenge, scopes, prompt })
            }
            Err(Flaw(code, description)) => {
                let to = Redirection::error(profile, &redirect_uri, echoed.as_deref(), code, &description);
                Err(AuthorizeError::Redirect { to, code, description })
            }
        }
    }
}

/// Where the answer goes. It may be left out where there is one place only (RFC 6749 section 3.1.2.3).
fn redirect_uri(client: &OAuthClient, parameters: &Parameters) -> Result<RedirectUri, AuthorizeError> {
    let asked = parameters.one("redirect_uri").map_err(|_| AuthorizeError::OtherRedirectUri)?;
    let Some(asked) = asked else {
        let [only] = client.redirect_uris.as_slice() else { return Err(AuthorizeError::OtherRedirectUri) };
        return Ok(only.clone());
    };
    let asked = asked.parse()?;
    if client.admits(&asked) { Ok(asked) } else { Err(AuthorizeError::OtherRedirectUri) }
}

fn state(parameters: &Parameters) -> Result<Option<String>, Flaw> {
    let state = parameters.one("state")?;
    if state.is_some_and(|state| state.len() > LONGEST_STATE || state.contains(char::is_control)) {
        return Err(flaw("state is longer than 2,048 bytes, or has control characters"));
    }
    Ok(state.map(str::to_owned))
}

fn check(profile: &MountProfile, parameters: &Parameters) -> Result<Sound, Flaw> {
    match parameters.one("response_type")? {
        Some("code") => {}
        Some(_) => return Err(Flaw(ErrorCode::UnsupportedResponseType, "use response_type=code".to_owned())),
        None => return Err(flaw("response_type is missing; use code")),
    }
    if parameters.one("code_challenge_method")? != Some("S256") {
        return Err(flaw("code_challenge_method must be S256 (RFC 7636)"));
    }
    let challenge = parameters.one("code_challenge")?.and_then(pkce::challenge);
    let challenge =
        challenge.ok_or_else(|| flaw("code_challenge must be the S256 of a verifier (RFC 7636)"))?;
    check_resource(profile, parameters)
        .map_err(|code| Flaw(code, format!("resource must be {}", profile.resource)))?;
    Ok(Sound { challenge, scopes: profile.scopes_of(parameters.one("scope")?), prompt: prompt(parameters)? })
}

/// That nothing but this mount is asked for (RFC 8707 section 2); nothing asked means this mount.
pub(super) fn check_resource(profile: &MountProfile, parameters: &Parameters) -> Result<(), ErrorCode> {
    let is_meant = parameters.all("resource").iter().all(|resource| profile.is_meant_by(resource));
    if is_meant { Ok(()) } else { Err(ErrorCode::InvalidTarget) }
}

fn prompt(parameters: &Parameters) -> Result<Prompt, Flaw> {
    let words: Vec<&str> = parameters.one("prompt")?.unwrap_or_default().split_ascii_whitespace().collect();
    if words.contains(&"none") {
        let is_alone = words.len() == 1;
        return if is_alone { Ok(Prompt::Never) } else { Err(flaw("prompt=none stands alone")) };
    }
    if words.contains(&"login") || words.contains(&"select_account") {
        return Ok(Prompt::SignIn);
    }
    Ok(if words.contains(&"consent") { Prompt::Consent } else { Prompt::AsNeeded })
}

fn flaw(description: &str) -> Flaw {
    Flaw(ErrorCode::InvalidRequest, description.to_owned())
}
