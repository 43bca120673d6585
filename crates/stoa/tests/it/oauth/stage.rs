//! A person in a browser, and a program that they may connect.

use serde_json::{Value, json};
use stoa_identity::Role;
use stoa_testing::TestDatabase;
use url::Url;

use crate::pages::member;
use crate::support::{Anonymous, Answer, App, form, post};

/// Verifier and challenge of RFC 7636 appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Where the program waits for its answer.
pub const CALLBACK: &str = "http://127.0.0.1:4711/callback";
/// The value of a parameter that is not sent at all.
pub const LEFT_OUT: &str = "(left out)";
/// What the person ticks on the consent page, and the button they press.
const YES: [(&str, &str); 2] = [("decision", "connect"), ("scope", "things:read")];

/// The person, signed in and a member of `default`, and the program, registered at the mount of things.
pub struct Stage {
    pub app: App,
    pub browser: Anonymous,
    pub client: String,
}

impl Stage {
    pub async fn on(test: TestDatabase) -> Self {
        Self::with(test, &[]).await
    }

    /// The same, with settings.
    pub async fn with(test: TestDatabase, settings: &[(&str, &str)]) -> Self {
        let app = App::with(test, settings).await;
        let browser = member(&app, Role::Member).await;
        let client = register(&app, "/things").await;
        Self { app, browser, client }
    }

    /// Asks for the person's leave; the query differs from a good one as told.
    pub async fn ask(&self, changes: &[(&str, &str)]) -> Answer {
        self.ask_at(&self.browser, "/things/oauth/authorize", changes).await
    }

    /// The same of another authorization server.
    pub async fn ask_at(&self, browser: &Anonymous, endpoint: &str, changes: &[(&str, &str)]) -> Answer {
        let good = [
            ("response_type", "code"),
            ("client_id", self.client.as_str()),
            ("redirect_uri", CALLBACK),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "s1"),
        ];
        let query = form(changed(&good, changes));
        browser.get(&format!("{endpoint}?{query}")).await
    }

    /// The person presses Connect on the page of a sound request.
    pub async fn connect(&self) -> Answer {
        self.decide(&self.ask(&[]).await, &YES).await
    }

    /// The person fills in the form that an answer leads to.
    pub async fn decide(&self, asked: &Answer, decision: &[(&str, &str)]) -> Answer {
        let decided = post(&self.browser, &local(asked), decision).await;
        assert_eq!(decided.status, 200, "{}", decided.body);
        decided
    }

    /// The person says yes; answers what the program is told.
    pub async fn code(&self) -> String {
        let link = link(&self.connect().await);
        assert_eq!(told(&link, "state").as_deref(), Some("s1"));
        assert_eq!(told(&link, "iss").as_deref(), Some("http://localhost:8787/things"));
        told(&link, "code").unwrap()
    }

    /// Redeems a code; the form differs from a good one as told.
    pub async fn redeem(&self, mount: &str, code: &str, changes: &[(&str, &str)]) -> Answer {
        self.redeem_at(&self.app.anonymous(), mount, code, changes).await
    }

    /// The same, asked by this program.
    pub async fn redeem_at(
        &self,
        program: &Anonymous,
        mount: &str,
        code: &str,
        changes: &[(&str, &str)],
    ) -> Answer {
        let good = [
            ("grant_type", "authorization_code"),
            ("client_id", self.client.as_str()),
            ("redirect_uri", CALLBACK),
            ("code", code),
            ("code_verifier", VERIFIER),
        ];
        post(program, &format!("{mount}/oauth/token"), &changed(&good, changes)).await
    }

    /// What the program is given once the person said yes.
    pub async fn given(&self) -> Value {
        let given = self.redeem("/things", &self.code().await, &[]).await;
        assert_eq!(given.status, 200, "{}", given.body);
        given.body
    }

    /// Renews with the refresh token of what was given; the form differs from a good one as told.
    pub async fn renew(&self, given: &Value, changes: &[(&str, &str)]) -> Answer {
        let good = [
            ("grant_type", "refresh_token"),
            ("client_id", self.client.as_str()),
            ("refresh_token", given["refresh_token"].as_str().unwrap()),
        ];
        post(&self.app.anonymous(), "/things/oauth/token", &changed(&good, changes)).await
    }

    /// How the endpoint answers who shows the access token of what was given.
    pub async fn status(&self, path: &str, given: &Value) -> u16 {
        self.app.anonymous().with_token(given["access_token"].as_str().unwrap()).status_at(path).await
    }
}

/// The pairs with some of them changed or left out, and those added that were not there.
fn changed<'a>(good: &[(&'a str, &'a str)], changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = good.iter().filter(|(name, _)| changes.iter().all(|(other, _)| other != name));
    kept.chain(changes).copied().filter(|(_, value)| *value != LEFT_OUT).collect()
}

/// Registers a program at a mount, and answers its name there.
pub async fn register(app: &App, mount: &str) -> String {
    let metadata = json!({ "client_name": "Program", "redirect_uris": [CALLBACK] });
    register_as(app, mount, &metadata).await
}

/// The same with metadata of its own.
pub async fn register_as(app: &App, mount: &str, metadata: &Value) -> String {
    let answer = app.anonymous().post(&format!("{mount}/oauth/register"), metadata).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.body["client_id"].as_str().unwrap().to_owned()
}

/// The path that an answer leads to, on this server.
pub fn local(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.headers["location"].to_str().unwrap();
    location.strip_prefix("http://localhost:8787").unwrap_or(location).to_owned()
}

/// Where the page after the decision carries the person on to.
pub fn link(carried_on: &Answer) -> Url {
    let html = carried_on.body.as_str().unwrap().replace("&#38;", "&").replace("&amp;", "&");
    let link = html.split("id=\"go-on\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    link.parse().unwrap()
}

/// What a URL's query says of a name.
pub fn told(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}
