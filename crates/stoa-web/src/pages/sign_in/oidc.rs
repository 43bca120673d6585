//! Signing in at an OpenID provider: out there, and back.

use axum::extract::{Query, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::json;
use stoa_identity::oidc::{self, OidcCeremony, OidcError, OidcIdentity};
use stoa_identity::{NewSession, SignInError};
use stoa_store::audit::{Act, Status};

use super::{Asked, Page, end_before};
use crate::cookies::Jar;
use crate::provider::Provider;
use crate::respond::{Fault, page_with, see_other, signed_in};
use crate::visitor::{Visitor, next_path, sign_in_path};
use crate::web::Web;

/// Where the provider sends the browser back to: what is registered there as the redirect URI.
pub const BACK: &str = "/sign-in/oidc/back";

/// What the provider sends back (RFC 6749 section 4.1.2, RFC 9207 section 2).
#[derive(Deserialize)]
pub(crate) struct Answered {
    #[serde(default)]
    state: String,
    code: Option<String>,
    iss: Option<String>,
}

/// Why nobody is signed in.
enum Refused {
    /// The ceremony is over, was used, or began in another browser.
    Late,
    /// The provider sent nobody, or proves nothing of who came.
    Unproven,
    /// Who came has no way in here.
    Unknown(OidcError),
}

/// The way to the provider, and then on to `next`.
pub(super) fn path(next: &str, is_again: bool) -> String {
    let path = sign_in_path(next).replacen("/sign-in", "/sign-in/oidc", 1);
    if is_again { format!("{path}&again=1") } else { path }
}

/// `GET /sign-in/oidc`. A link, not a form: a form's `form-action` would let nobody go to another host.
pub(crate) async fn begin(
    State(web): State<Web>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let next = next_path(asked.next.as_deref());
    let Some(provider) = web.provider() else { return Ok(see_other(&sign_in_path(next))) };
    let texts = &visitor.language.texts().sign_in;
    let begun = match oidc::start(web.door(), provider.issuer(), next, &visitor.visit).await {
        Ok(begun) => begun,
        Err(SignInError::TooMany { after }) => {
            let problem = texts.wait(after);
            return Ok(shown(&web, &visitor, next, StatusCode::TOO_MANY_REQUESTS, problem));
        }
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(other) => return Err(Fault::Other(other.to_string())),
    };
    let mut response = match provider.sign_in_url(&begun.ceremony, asked.again.is_some()).await {
        Ok(url) => see_other(&url),
        Err(error) => {
            tracing::warn!(%error, "nobody can sign in at the OpenID provider");
            let problem = (texts.provider_away)(provider.name());
            return Ok(shown(&web, &visitor, next, StatusCode::BAD_GATEWAY, problem));
        }
    };
    let (secret, now) = (begun.secret.expose(), web.ambient().now());
    web.cookies().set(response.headers_mut(), Jar::Oidc, secret, now, begun.expires_at);
    Ok(response)
}

/// `GET /sign-in/oidc/back`.
pub(crate) async fn come_back(
    State(web): State<Web>,
    visitor: Visitor,
    headers: HeaderMap,
    Query(answered): Query<Answered>,
) -> Result<Response, Fault> {
    let Some(provider) = web.provider() else { return Ok(see_other("/sign-in")) };
    let secret = web.cookies().read(&headers, Jar::Oidc).unwrap_or_default();
    let act = visitor.house_act(&web, "sign in at a provider", json!({ "issuer": provider.issuer() }));
    let ceremony = oidc::resume(web.door(), &secret, &answered.state).await?;
    let next = ceremony.as_ref().map_or("/", |ceremony| next_path(Some(&ceremony.return_to))).to_owned();
    let mut response = match enter(&web, &visitor, provider, &act, ceremony, answered).await? {
        Ok(session) => {
            end_before(&web, &visitor).await?;
            signed_in(&web, &session, &next)
        }
        Err(refused) => {
            match refused.code() {
                Some(code) => act.close(Status::Denied, Some(code)).await?,
                None => act.let_go(),
            }
            let problem = refused.said(&visitor, provider.name());
            shown(&web, &visitor, &next, StatusCode::FORBIDDEN, problem)
        }
    };
    web.cookies().forget(response.headers_mut(), Jar::Oidc);
    Ok(response)
}

async fn enter(
    web: &Web,
    visitor: &Visitor,
    provider: &dyn Provider,
    act: &Act,
    ceremony: Option<OidcCeremony>,
    answered: Answered,
) -> Result<Result<NewSession, Refused>, Fault> {
    let Some(ceremony) = ceremony else { return Ok(Err(Refused::Late)) };
    let Some(identity) = identity(provider, &ceremony, answered).await else {
        return Ok(Err(Refused::Unproven));
    };
    match oidc::finish(web.door(), act, &identity, &visitor.visit).await {
        Ok(session) => Ok(Ok(session)),
        Err(OidcError::Store(error)) => Err(error.into()),
        Err(refused) => Ok(Err(Refused::Unknown(refused))),
    }
}

/// Who came, if the provider that was asked is the one that answers and proves it. What it says instead is anybody's
/// text, and stands in no page.
async fn identity(
    provider: &dyn Provider,
    ceremony: &OidcCeremony,
    answered: Answered,
) -> Option<OidcIdentity> {
    let is_asked = |issuer: &str| issuer == ceremony.issuer && issuer == provider.issuer();
    if !is_asked(answered.iss.as_deref().unwrap_or(&ceremony.issuer)) {
        return None;
    }
    match provider.identify(ceremony, answered.code?).await {
        Ok(identity) => Some(identity),
        Err(error) => {
            tracing::warn!(%error, "nobody was signed in");
            None
        }
    }
}

impl Refused {
    /// The word for it in the audit; `None`: there is nothing to note, as anybody can come back to nothing.
    const fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Late => return None,
            Self::Unproven => "not_proven",
            Self::Unknown(OidcError::NotVerified) => "not_verified",
            Self::Unknown(OidcError::NotLinked) => "not_linked",
            Self::Unknown(OidcError::NotInvited) => "not_invited",
            Self::Unknown(OidcError::Disabled | OidcError::Store(_)) => "sign_in_refused",
        })
    }

    fn said(&self, visitor: &Visitor, provider: &str) -> String {
        let texts = &visitor.language.texts().sign_in;
        match self {
            Self::Late => texts.provider_late.to_owned(),
            Self::Unproven => (texts.provider_unproven)(provider),
            Self::Unknown(OidcError::NotVerified) => (texts.provider_unverified)(provider),
            Self::Unknown(OidcError::NotLinked) => texts.provider_not_linked.to_owned(),
            Self::Unknown(OidcError::NotInvited | OidcError::Disabled | OidcError::Store(_)) => {
                texts.provider_not_invited.to_owned()
            }
        }
    }
}

fn shown(web: &Web, visitor: &Visitor, next: &str, status: StatusCode, problem: String) -> Response {
    page_with(status, &Page { problem: Some(problem), ..Page::new(web, visitor, next, false) })
}
