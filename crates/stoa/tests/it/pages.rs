//! The house's pages, by requests: what they show, and to whom.

mod activity;
pub mod agents;
mod forgot;
mod members;
mod oidc;
mod security;
mod settings;
mod strangers;
mod things;

use axum::body::Body;
use http::Method;
use serde_json::json;
use stoa_identity::accounts::{self, NewAccount};
use stoa_identity::resets::{self, Reset};
use stoa_identity::{Email, Password, Role};
use stoa_testing::on_both;

use crate::support::{Anonymous, Answer, App, MIGRATIONS, post};

pub const EMAIL: &str = "grace@example.com";
pub const PASSWORD: &str = "correct horse battery staple";

/// A person with a password, signed in.
pub async fn signed_in(app: &App) -> Anonymous {
    signed_in_as(app, EMAIL).await
}

/// The same with another address.
pub async fn signed_in_as(app: &App, address: &str) -> Anonymous {
    add_person(app, address).await;
    let cookie = sign_in(app, address).await;
    app.anonymous().with("origin", "http://localhost:8787").with("cookie", &cookie)
}

/// The cookie of another session of theirs.
pub async fn sign_in(app: &App, address: &str) -> String {
    enter(&app.anonymous().with("origin", "http://localhost:8787"), address).await
}

/// A person with the password of all these tests.
pub async fn add_person(app: &App, address: &str) {
    let act = app.house.act(app.house.default, "account add", json!({}));
    let email: Email = address.parse().unwrap();
    let password = Password::chosen(PASSWORD, &email).unwrap();
    let new = NewAccount { email, password: Some(password) };
    accounts::add(&app.house.db, &app.house.ambient, &act, new).await.unwrap();
}

/// Signs in with whatever the browser holds; answers what it holds then.
pub async fn enter(browser: &Anonymous, address: &str) -> String {
    let answer = post(browser, "/sign-in", &[("email", address), ("password", PASSWORD)]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    cookie(&answer)
}

/// The session's cookie that an answer sets.
pub fn cookie(answer: &Answer) -> String {
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

/// The same, a member of `default`.
pub async fn member(app: &App, role: Role) -> Anonymous {
    let browser = signed_in(app).await;
    add_member(app, EMAIL, role).await;
    browser
}

/// Makes a person a member of `default`.
pub async fn add_member(app: &App, email: &str, role: Role) {
    let (db, ambient, default) = (&app.house.db, &app.house.ambient, app.house.default);
    let account = accounts::by_email(db, &email.parse().unwrap()).await.unwrap().unwrap().id;
    let act = app.house.act(default, "member add", json!({}));
    assert!(stoa_identity::members::add(db, ambient, &act, default, account, role).await.unwrap());
}

/// Gives the person another role in `default`.
pub async fn set_role(app: &App, role: Role) {
    let (db, ambient, default) = (&app.house.db, &app.house.ambient, app.house.default);
    let account = accounts::by_email(db, &EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
    let act = || app.house.act(default, "member", json!({}));
    stoa_identity::members::remove(db, ambient, &act(), default, account).await.unwrap();
    assert!(stoa_identity::members::add(db, ambient, &act(), default, account, role).await.unwrap());
}

/// How the page of diagnosis is answered, and whether the client stands on it.
async fn shown(browser: &Anonymous) -> (u16, bool) {
    let page = browser.get("/diagnosis").await;
    (page.status.as_u16(), page.body.as_str().unwrap().contains("Crooked"))
}

on_both! {
    async fn who_does_not_belong_to_the_workspace_sees_nothing_of_its_clients(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = signed_in(&app).await;
        let bad = json!({ "client_name": "Crooked", "redirect_uris": ["javascript:alert(1)"] });
        assert_eq!(app.anonymous().post("/things/oauth/register", &bad).await.status, 400);
        let (db, ambient, default) = (&app.house.db, &app.house.ambient, app.house.default);
        let account = accounts::by_email(db, &EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
        let act = || app.house.act(default, "member", json!({}));
        assert_eq!(shown(&browser).await, (403, false));
        stoa_identity::members::add(db, ambient, &act(), default, account, Role::Member).await.unwrap();
        assert_eq!(shown(&browser).await, (200, true));
        stoa_identity::members::remove(db, ambient, &act(), default, account).await.unwrap();
        assert_eq!(shown(&browser).await, (403, false));
    }
}

on_both! {
    async fn signing_out_ends_the_session_on_the_server(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Member).await;
        assert_eq!(browser.get("/agents").await.status, 200);
        let left = browser.send(Method::POST, "/sign-out", Body::empty()).await;
        assert_eq!(left.status, 303);
        // The cookie is the same as before.
        assert_eq!(browser.get("/agents").await.status, 303);
    }
}

on_both! {
    async fn what_is_wrong_with_a_password_is_said_in_the_language_of_the_page(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = app.anonymous().with("origin", "http://localhost:8787").with("accept-language", "es");
        let act = app.house.act(app.house.default, "account reset", json!({}));
        let owner = "owner@example.com".parse().unwrap();
        let (db, ambient) = (&app.house.db, &app.house.ambient);
        let link = resets::issue(db, ambient, &act, &owner, Reset::Password).await.unwrap().unwrap();
        let set = async |password| {
            post(&browser, "/reset", &[("secret", link.secret.expose()), ("password", password)]).await
        };
        let refused = set("corta").await;
        assert_eq!(refused.status, 400);
        assert!(refused.body.as_str().unwrap().contains("menos de 12 caracteres"), "{}", refused.body);
        // The link is as good as it was, once.
        assert_eq!(set(PASSWORD).await.status, 303);
        assert_eq!(set(PASSWORD).await.status, 400);
    }
}

on_both! {
    async fn a_fault_of_ours_has_an_incident_and_tells_nothing_of_its_cause(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = signed_in(&app).await;
        app.house.db.close().await;
        let page = browser.get("/agents").await;
        assert_eq!(page.status, 500);
        let said = page.body.as_str().unwrap();
        assert!(said.contains("at incident ") && !said.contains("pool"), "{said}");
        assert_eq!(page.headers["cache-control"], "no-store");
    }
}
