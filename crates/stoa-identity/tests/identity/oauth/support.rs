//! A house with an authorization server, a client and Ann in a browser.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use stoa_identity::oauth::{Asked, AuthorizeError, TokenError};
use stoa_identity::{
    Caller, ClientMetadata, Decision, Lifetimes, MountId, MountProfile, OAuth, OAuthSettings, Parameters,
    Person, Reach, Redirection, Rejected, TokenAnswer, Visit,
};
use stoa_store::Database;
use stoa_store::audit::AddressClass;
use url::Url;
use uuid::Uuid;

use crate::house::House;

/// RFC 7636 appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const CALLBACK: &str = "http://127.0.0.1:4711/cb";
pub const KEY: [u8; 32] = [7; 32];

/// The settings of most tests.
pub fn settings() -> OAuthSettings {
    OAuthSettings::default()
}

/// The authorization server on another pool of connections, as another node has it.
pub fn server_on(house: &House, db: Database, settings: OAuthSettings) -> OAuth {
    OAuth::new(db, house.ambient.clone(), house.audit.clone(), KEY, None, settings)
}

pub fn server(house: &House) -> OAuth {
    server_on(house, house.db().clone(), settings())
}

pub fn profile_of(mount: MountId) -> MountProfile {
    let service = mount.service.clone();
    MountProfile {
        mount,
        issuer: format!("https://stoa.example.com/{service}"),
        resource: format!("https://stoa.example.com/{service}/mcp"),
        scopes: "things:read things:write resources:command".parse().unwrap(),
        default_scopes: "things:read things:write".parse().unwrap(),
        required_scopes: "things:read".parse().unwrap(),
        lifetimes: Lifetimes { access: Duration::from_hours(1), refresh: Duration::from_hours(720) },
    }
}

pub fn profile(house: &House) -> MountProfile {
    profile_of(house.things())
}

pub fn visit() -> Visit {
    visit_from("192.0.2.1")
}

pub fn visit_from(address: &str) -> Visit {
    let ip: IpAddr = address.parse().unwrap();
    let agent = Some("tests/1.0".to_owned());
    Visit { address: Some(ip), class: AddressClass::Public, user_agent: agent, trace_id: None }
}

/// Ann in one of her browsers.
pub fn ann(house: &House) -> Person {
    Person { account: house.ann.id, session: Uuid::from_u128(1) }
}

pub fn metadata(name: &str, redirect_uris: &[&str]) -> ClientMetadata {
    ClientMetadata {
        client_name: Some(name.to_owned()),
        redirect_uris: redirect_uris.iter().map(|&uri| uri.to_owned()).collect(),
        ..ClientMetadata::default()
    }
}

/// Parameters, with some replaced, added, or (by an empty value) left out.
pub fn parameters(usual: &[(&str, &str)], other: &[(&str, &str)]) -> Parameters {
    let kept = usual.iter().filter(|(name, _)| other.iter().all(|(replaced, _)| replaced != name));
    kept.chain(other).copied().collect()
}

/// A client on its way, by itself at the mount of things.
pub struct Client<'a> {
    pub house: &'a House,
    pub server: OAuth,
    pub profile: MountProfile,
    /// What it calls itself by.
    pub id: String,
}

impl<'a> Client<'a> {
    pub async fn registered(house: &'a House) -> Self {
        Self::named(house, "Example").await
    }

    pub async fn named(house: &'a House, name: &str) -> Self {
        Self::at(house, profile(house), name).await
    }

    pub async fn at(house: &'a House, profile: MountProfile, name: &str) -> Self {
        let server = server(house);
        let metadata = metadata(name, &["http://127.0.0.1/cb", "https://app.example.com/cb", "my-app://cb"]);
        let id = server.register(&profile.mount, &metadata, &visit()).await.unwrap().client_id;
        Self { house, server, profile, id }
    }

    /// A sound authorization request, with some parameters otherwise.
    pub async fn authorize(
        &self,
        other: &[(&str, &str)],
    ) -> Result<stoa_identity::Authorization, AuthorizeError> {
        let usual = [
            ("client_id", self.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("state", "s1"),
            ("scope", "things:read things:write resources:command"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", self.profile.resource.as_str()),
        ];
        self.server.authorize(&self.profile, &parameters(&usual, other), &visit()).await
    }

    /// The address of the page at which a sound request waits for Ann.
    pub async fn waits(&self, other: &[(&str, &str)]) -> String {
        let authorization = self.authorize(other).await.unwrap();
        match self.server.ask(&self.profile, authorization, ann(self.house), &visit()).await.unwrap() {
            Asked::Waits(handle) => handle.expose().to_owned(),
            other => panic!("a click is needed: {other:?}"),
        }
    }

    pub async fn approve(&self, handle: &str, decision: Decision) -> Redirection {
        self.server.approve(&self.profile, handle, ann(self.house), decision, &visit()).await.unwrap()
    }

    /// A code, from a request that Ann has agreed to.
    pub async fn code(&self) -> String {
        let handle = self.waits(&[]).await;
        query(&self.approve(&handle, decision()).await)["code"].clone()
    }

    /// Redeems a code, with some parameters otherwise.
    pub async fn redeem(&self, code: &str, other: &[(&str, &str)]) -> Result<TokenAnswer, TokenError> {
        let usual = [
            ("grant_type", "authorization_code"),
            ("client_id", self.id.as_str()),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
            ("resource", self.profile.resource.as_str()),
        ];
        self.server.token(&self.profile, &parameters(&usual, other), &visit()).await
    }

    /// Tokens that Ann has agreed to.
    pub async fn tokens(&self) -> TokenAnswer {
        let code = self.code().await;
        self.redeem(&code, &[]).await.unwrap()
    }

    /// Uses a refresh token, with some parameters otherwise.
    pub async fn refresh(
        &self,
        tokens: &TokenAnswer,
        other: &[(&str, &str)],
    ) -> Result<TokenAnswer, TokenError> {
        self.refresh_by(&self.server, tokens, other).await
    }

    pub async fn refresh_by(
        &self,
        server: &OAuth,
        tokens: &TokenAnswer,
        other: &[(&str, &str)],
    ) -> Result<TokenAnswer, TokenError> {
        let usual = [
            ("grant_type", "refresh_token"),
            ("client_id", self.id.as_str()),
            ("refresh_token", tokens.refresh_token.expose()),
        ];
        server.token(&self.profile, &parameters(&usual, other), &visit()).await
    }

    /// Shows an access token at this client's mount.
    pub async fn show(&self, tokens: &TokenAnswer) -> Result<Arc<Caller>, Rejected> {
        let shown = tokens.access_token.expose();
        self.house.authenticator.authenticate(shown, &self.profile.mount).await.unwrap()
    }
}

/// What Ann usually decides.
pub fn decision() -> Decision {
    Decision {
        scopes: "things:read things:write".parse().unwrap(),
        reach: Reach::Everything,
        run_budget: Some(5),
        label: "laptop".to_owned(),
        continue_as: None,
    }
}

/// The parameters of an answer.
pub fn query(to: &Redirection) -> HashMap<String, String> {
    Url::parse(&to.location).unwrap().query_pairs().into_owned().collect()
}

/// What the client is told at its redirect URI.
pub fn told(result: Result<stoa_identity::Authorization, AuthorizeError>) -> HashMap<String, String> {
    match result {
        Err(AuthorizeError::Redirect { to, .. }) => query(&to),
        other => panic!("the client is told: {other:?}"),
    }
}

/// Both texts of a pair.
pub fn texts(tokens: &TokenAnswer) -> (&str, &str) {
    (tokens.access_token.expose(), tokens.refresh_token.expose())
}

/// What the audit says, oldest first: tool, status, code.
pub async fn audited(house: &House) -> Vec<(String, String, Option<String>)> {
    let text = "SELECT tool, status, code FROM audit_entry WHERE tool LIKE 'oauth%' ORDER BY seq";
    stoa_store::on!(read house.db(), c => sqlx::query_as(text).fetch_all(c).await).unwrap()
}

/// How many rows a table has.
pub async fn count(house: &House, text: &'static str) -> i64 {
    stoa_store::on!(read house.db(), c => sqlx::query_scalar(text).fetch_one(c).await).unwrap()
}
