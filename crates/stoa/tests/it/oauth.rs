//! The authorization server over HTTP, as a program and a person's browser use it; and what attackers try.

use axum::body::Body;
use http::Method;
use serde_json::{Value, json};
use stoa_identity::{Role, accounts, members};
use stoa_testing::on_both;
use url::Url;
use url::form_urlencoded::Serializer;

use crate::pages::{EMAIL, PASSWORD, signed_in};
use crate::support::{Anonymous, Answer, App, MIGRATIONS};

/// Verifier and challenge of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const CALLBACK: &str = "http://127.0.0.1:4711/callback";

/// A person in a browser, and a program that they may connect.
struct Stage {
    app: App,
    browser: Anonymous,
    client: String,
}

impl Stage {
    async fn on(test: stoa_testing::TestDatabase) -> Self {
        let app = App::on(test).await;
        let browser = signed_in(&app).await;
        let (db, ambient, default) = (&app.house.db, &app.house.ambient, app.house.default);
        let account = accounts::by_email(db, &EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
        let act = app.house.act(default, "member add", json!({}));
        members::add(db, ambient, &act, default, account, Role::Member).await.unwrap();
        let client = register(&app, "/things").await;
        Self { app, browser, client }
    }

    /// Asks for the person's leave; the query differs from a good one as told.
    async fn ask(&self, changes: &[(&str, &str)]) -> Answer {
        let good = [
            ("response_type", "code"),
            ("client_id", self.client.as_str()),
            ("redirect_uri", CALLBACK),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "s1"),
        ];
        let kept = good.iter().filter(|(name, _)| changes.iter().all(|(other, _)| other != name));
        let query = form(kept.chain(changes).copied());
        self.browser.get(&format!("/things/oauth/authorize?{query}")).await
    }

    /// The person says yes; answers what the program is told.
    async fn code(&self) -> String {
        let page = local(&self.ask(&[]).await);
        let decided = post(&self.browser, &page, &[("decision", "connect"), ("scope", "things:read")]).await;
        assert_eq!(decided.status, 200, "{}", decided.body);
        let html = decided.body.as_str().unwrap().replace("&#38;", "&").replace("&amp;", "&");
        let link = html.split("href=\"http://127.0.0.1:4711").nth(1).unwrap().split('"').next().unwrap();
        let link = Url::parse(&format!("http://127.0.0.1:4711{link}")).unwrap();
        let told = |name: &str| link.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        assert_eq!(
            (told("state"), told("iss")),
            ("s1".to_owned(), "http://localhost:8787/things".to_owned())
        );
        told("code")
    }

    /// Redeems a code; the form differs from a good one as told.
    async fn redeem(&self, mount: &str, code: &str, changes: &[(&str, &str)]) -> Answer {
        let good = [
            ("grant_type", "authorization_code"),
            ("client_id", self.client.as_str()),
            ("redirect_uri", CALLBACK),
            ("code", code),
            ("code_verifier", VERIFIER),
        ];
        let kept = good.iter().filter(|(name, _)| changes.iter().all(|(other, _)| other != name));
        let form: Vec<_> = kept.chain(changes).copied().collect();
        post(&self.app.anonymous(), &format!("{mount}/oauth/token"), &form).await
    }

    /// How the endpoint answers who shows this token.
    async fn status(&self, path: &str, token: &Value) -> u16 {
        self.app.anonymous().with_token(token.as_str().unwrap()).status_at(path).await
    }
}

async fn register(app: &App, mount: &str) -> String {
    let metadata = json!({ "client_name": "Program", "redirect_uris": [CALLBACK] });
    let answer = app.anonymous().post(&format!("{mount}/oauth/register"), &metadata).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.body["client_id"].as_str().unwrap().to_owned()
}

fn form<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

async fn post(caller: &Anonymous, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let caller = caller.with("content-type", "application/x-www-form-urlencoded");
    caller.send(Method::POST, path, Body::from(form(pairs.iter().copied()))).await
}

/// The path that an answer leads to, on this server.
fn local(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.headers["location"].to_str().unwrap();
    location.strip_prefix("http://localhost:8787").unwrap_or(location).to_owned()
}

on_both! {
    async fn who_is_to_sign_in_anew_is_asked_for_it_once_though_signed_in(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let asked = local(&stage.ask(&[("prompt", "login")]).await);
        assert!(asked.starts_with("/sign-in?next=") && asked.ends_with("&again=1"), "{asked}");
        assert_eq!(stage.browser.get(&asked).await.status, 200, "the page is shown");
        let query = Url::parse(&format!("http://localhost:8787{asked}")).unwrap();
        let next = query.query_pairs().find(|(name, _)| name == "next").unwrap().1.into_owned();
        let form = [("email", EMAIL), ("password", PASSWORD), ("next", next.as_str()), ("again", "1")];
        let answer = post(&stage.browser, "/sign-in", &form).await;
        assert_eq!(local(&answer), next);
        let cookie = answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let page = local(&stage.browser.with("cookie", &cookie).get(&next).await);
        assert!(page.starts_with("/things/oauth/consent/"), "{page}");
    }
}

on_both! {
    async fn a_program_is_connected_renews_and_gives_back(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let code = stage.code().await;
        let given = stage.redeem("/things", &code, &[]).await;
        assert_eq!(given.status, 200, "{}", given.body);
        assert_eq!(given.headers["cache-control"], "no-store");
        assert_eq!((&given.body["token_type"], &given.body["scope"]), (&json!("Bearer"), &json!("things:read")));
        assert_eq!(stage.status("/things/mcp", &given.body["access_token"]).await, 200);
        // A token is good at one mount.
        assert_eq!(stage.status("/mcp", &given.body["access_token"]).await, 401);
        let refresh = given.body["refresh_token"].as_str().unwrap();
        let renew = [("grant_type", "refresh_token"), ("client_id", stage.client.as_str()), ("refresh_token", refresh)];
        let anonymous = stage.app.anonymous();
        let renewed = post(&anonymous, "/things/oauth/token", &renew).await;
        assert_eq!(stage.status("/things/mcp", &renewed.body["access_token"]).await, 200);
        // Whose answer was lost asks again, and gets the identical pair.
        let again = post(&anonymous, "/things/oauth/token", &renew).await;
        assert_eq!(again.body["access_token"], renewed.body["access_token"]);
        let token = renewed.body["refresh_token"].as_str().unwrap();
        let wider =
            [&renew[..2], &[("refresh_token", token), ("scope", "things:read resources:command")]].concat();
        assert_eq!(post(&anonymous, "/things/oauth/token", &wider).await.body["error"], "invalid_scope");
        let back = [("client_id", stage.client.as_str()), ("token", token)];
        assert_eq!(post(&anonymous, "/things/oauth/revoke", &back).await.status, 200);
        assert_eq!(stage.status("/things/mcp", &renewed.body["access_token"]).await, 401);
    }
}

on_both! {
    async fn a_code_that_is_shown_twice_takes_back_what_it_gave(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let code = stage.code().await;
        let given = stage.redeem("/things", &code, &[]).await;
        let replayed = stage.redeem("/things", &code, &[]).await;
        assert_eq!((replayed.status.as_u16(), &replayed.body["error"]), (400, &json!("invalid_grant")));
        assert_eq!(stage.status("/things/mcp", &given.body["access_token"]).await, 401);
    }
}

on_both! {
    async fn a_stolen_code_is_worth_nothing_and_nobody_learns_why(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let other = json!({ "client_name": "Other", "redirect_uris": [CALLBACK] });
        let other = stage.app.anonymous().post("/things/oauth/register", &other).await.body["client_id"].clone();
        let mut answers = Vec::new();
        for changes in [
            vec![("code_verifier", "another-verifier-another-verifier-another-v")],
            vec![("code_verifier", "")],
            vec![("client_id", other.as_str().unwrap())],
            vec![("redirect_uri", "http://127.0.0.1:4711/other")],
            vec![("code", "stoa_oac_nonsense")],
        ] {
            let code = stage.code().await;
            let refused = stage.redeem("/things", &code, &changes).await;
            assert_eq!(refused.status, 400, "{changes:?}: {}", refused.body);
            answers.push(refused.body);
        }
        // All but the one that lacks a parameter are told the same.
        answers.remove(1);
        assert!(answers.iter().all(|answer| answer == &answers[0] && answer["error"] == "invalid_grant"), "{answers:?}");
        // At another mount nobody knows this client.
        let code = stage.code().await;
        assert_eq!(stage.redeem("", &code, &[]).await.body["error"], "invalid_client");
    }
}

on_both! {
    async fn a_request_that_leads_elsewhere_sends_nobody_there(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        for uri in [
            "http://127.0.0.1:4711/callback/../evil",
            "http://127.0.0.1:4711/Callback",
            "http://127.0.0.1:4711@evil.example.com/callback",
            "http://evil.example.com/callback",
            "https://127.0.0.1:4711/callback",
            "javascript:alert(1)",
            "http://127.0.0.1:4711/callback#x",
        ] {
            let page = stage.ask(&[("redirect_uri", uri)]).await;
            assert_eq!(page.status, 400, "{uri}");
            assert!(page.headers.get("location").is_none(), "{uri}");
        }
        // Another port is the same program.
        assert_eq!(stage.ask(&[("redirect_uri", "http://127.0.0.1:9/callback")]).await.status, 303);
        // What else is wrong, the program is told, with the issuer.
        for (changes, error) in [
            ([("code_challenge_method", "plain")], "invalid_request"),
            ([("code_challenge", "")], "invalid_request"),
            ([("response_type", "token")], "unsupported_response_type"),
            ([("resource", "https://other.example.com/mcp")], "invalid_target"),
        ] {
            let answer = stage.ask(&changes).await;
            let location = Url::parse(answer.headers["location"].to_str().unwrap()).unwrap();
            assert_eq!(location.port(), Some(4711), "{changes:?}");
            let told = |name: &str| location.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
            assert_eq!(told("error").as_deref(), Some(error), "{changes:?}");
            assert_eq!(told("iss").as_deref(), Some("http://localhost:8787/things"));
        }
    }
}

on_both! {
    async fn consent_can_not_be_given_for_somebody_or_twice_or_for_more(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let page = local(&stage.ask(&[]).await);
        let yes = [("decision", "connect"), ("scope", "things:read")];
        // From another site's page, and without the session that asked.
        let evil = stage.browser.with("origin", "https://evil.example.com");
        assert_eq!(post(&evil, &page, &yes).await.status, 403);
        let stranger = stage.app.anonymous().with("origin", "http://localhost:8787");
        assert_eq!(post(&stranger, &page, &yes).await.status, 303);
        let more = [("decision", "connect"), ("scope", "things:read"), ("scope", "rooms:manage")];
        assert_eq!(post(&stage.browser, &page, &more).await.status, 400);
        assert_eq!(stage.browser.get(&page).await.status, 200);
        assert_eq!(stage.browser.get(&page).await.status, 200);
        assert_eq!(post(&stage.browser, &page, &yes).await.status, 200);
        assert_eq!(post(&stage.browser, &page, &yes).await.status, 410);
    }
}
