//! Who asks for a page: from where, in which language, signed in as whom.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::response::{IntoResponse, Response};
use http::header::{REFERER, USER_AGENT};
use http::request::Parts;
use http::{HeaderMap, Method};
use serde_json::Value;
use stoa_base::WorkspaceId;
use stoa_base::subscriber::subscriber;
use stoa_identity::{Person, SignedIn, Visit, sessions};
use stoa_site::address;
use stoa_site::buckets::RetryAfter;
use stoa_store::audit::{Act, Channel, Credential, Opening};
use url::{Position, Url};

use crate::cookies::Jar;
use crate::language::Language;
use crate::respond::{Fault, see_other};
use crate::web::Web;

/// Whoever asks.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// From where.
    pub visit: Visit,
    /// What they read.
    pub language: Language,
    /// What the cookie of their session holds.
    pub cookie: Option<String>,
    /// Path and query of what they ask for; of a form, those of the page that it stands on.
    pub asked: String,
}

/// Whoever asks, signed in. Who is not is sent to sign in, and comes back.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The visitor.
    pub visitor: Visitor,
    /// The person.
    pub person: SignedIn,
}

impl Visitor {
    fn of(web: &Web, parts: &Parts) -> Self {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let address = address::of_client(peer, &parts.headers, web.trusted_proxies());
        let chosen = web.cookies().read(&parts.headers, Jar::Language);
        let language = chosen.and_then(|tag| Language::of_tag(&tag));
        let agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        Self {
            visit: Visit {
                address,
                class: address::class(address),
                user_agent: agent.map(str::to_owned),
                trace_id: None,
            },
            language: language.unwrap_or_else(|| Language::preferred(&parts.headers)),
            cookie: web.cookies().read(&parts.headers, Jar::Session),
            asked: asked(web, parts),
        }
    }

    /// Who is signed in.
    ///
    /// # Errors
    /// [`Fault`] when the database could not be asked.
    pub async fn person(&self, web: &Web) -> Result<Option<SignedIn>, Fault> {
        let Some(cookie) = &self.cookie else { return Ok(None) };
        Ok(sessions::current(web.door(), cookie).await?)
    }

    /// Counts a request to an authorization server. Who has no address is not counted: no connection brought them.
    ///
    /// # Errors
    /// [`RetryAfter`] where too many come from there.
    pub(crate) fn ask(&self, web: &Web) -> Result<(), RetryAfter> {
        self.visit.address.map_or(Ok(()), |address| web.flood().take(&subscriber(address)))
    }

    /// The same for one to which another server may have to be asked for its client's metadata document.
    ///
    /// # Errors
    /// [`RetryAfter`] where too many come from there.
    pub(crate) fn ask_for_document(&self, web: &Web) -> Result<(), RetryAfter> {
        self.visit.address.map_or(Ok(()), |address| web.document_flood().take(&subscriber(address)))
    }

    fn opening(&self, workspace: WorkspaceId, what: &str, arguments: Value) -> Opening {
        Opening {
            workspace,
            channel: Channel::Web,
            tool: what.to_owned(),
            scope: None,
            arguments,
            account: None,
            installation: None,
            credential: Credential::None,
            client: None,
            address: self.visit.class,
            trace_id: None,
        }
    }

    /// Opens the act of a page in the house itself: the workspace `default`. The arguments never hold a secret.
    #[must_use]
    pub fn house_act(&self, web: &Web, what: &str, arguments: Value) -> Act {
        web.audit().open(self.opening(web.default(), what, arguments))
    }
}

impl Guest {
    /// The person, as the authorization server knows them.
    #[must_use]
    pub fn as_person(&self) -> Person {
        Person { account: self.person.account, session: self.person.session.uuid() }
    }

    /// Opens the act of a page in the house. The arguments never hold a secret.
    #[must_use]
    pub fn act(&self, web: &Web, what: &str, arguments: Value) -> Act {
        self.act_in(web, web.default(), what, arguments)
    }

    /// The same in a workspace.
    #[must_use]
    pub fn act_in(&self, web: &Web, workspace: WorkspaceId, what: &str, arguments: Value) -> Act {
        web.audit().open(Opening {
            account: Some(self.person.account),
            credential: Credential::Session,
            ..self.visitor.opening(workspace, what, arguments)
        })
    }
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        Ok(Self::of(web, parts))
    }
}

impl FromRequestParts<Web> for Guest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        let visitor = Visitor::of(web, parts);
        match visitor.person(web).await {
            Ok(Some(person)) => Ok(Self { visitor, person }),
            Ok(None) => Err(see_other(&sign_in_path(&visitor.asked))),
            Err(fault) => Err(fault.into_response()),
        }
    }
}

/// Where to come back to.
fn asked(web: &Web, parts: &Parts) -> String {
    let is_form = !matches!(parts.method, Method::GET | Method::HEAD);
    let page = is_form.then(|| page_of_form(web, &parts.headers)).flatten();
    page.unwrap_or_else(|| parts.uri.path_and_query().map_or("/", |asked| asked.as_str()).to_owned())
}

/// The page of ours on which a form stands: what the form itself asks for can't be asked for again.
fn page_of_form(web: &Web, headers: &HeaderMap) -> Option<String> {
    let page = Url::parse(headers.get(REFERER)?.to_str().ok()?).ok()?;
    web.hosts().check_origin(&page.origin().ascii_serialization()).ok()?;
    Some(page[Position::BeforePath..Position::AfterQuery].to_owned())
}

/// The page where somebody who is signed in signs in once more before going on to `next`.
pub(crate) fn sign_in_again_path(next: &str) -> String {
    format!("{}&again=1", sign_in_path(next))
}

/// The page where to sign in before going on to `next`.
pub(crate) fn sign_in_path(next: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
    format!("/sign-in?{query}")
}

/// Where to go on after signing in: a path of this server, else home. What begins with two slashes, or has a
/// backslash, browsers take for another host (open redirect).
pub(crate) fn next_path(asked: Option<&str>) -> &str {
    let is_ours = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.len() <= 8_192
            && path.chars().all(|c| c.is_ascii_graphic() && c != '\\')
    };
    asked.filter(is_ours).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_signing_in_nobody_is_led_to_another_host() {
        for path in ["/agents", "/oauth/authorize?client_id=a%20b&redirect_uri=http%3A%2F%2F127.0.0.1"] {
            assert_eq!(next_path(Some(path)), path);
        }
        for path in
            ["//evil.example", "/\\evil.example", "https://evil.example", "", "agents", "/a b", "/\t/evil"]
        {
            assert_eq!(next_path(Some(path)), "/", "{path:?}");
        }
        assert_eq!(next_path(None), "/");
    }
}
