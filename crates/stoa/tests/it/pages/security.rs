//! How a person signs in, and where they are signed in: what is refused to whom.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_testing::{PasskeyBrowser, on_both};

use super::{EMAIL, PASSWORD, sign_in, signed_in, signed_in_as};
use crate::support::{Anonymous, Answer, App, MIGRATIONS, post};

const ORIGIN: &str = "http://localhost:8787";
const AGAIN: &str = "/sign-in?next=%2Fsecurity&again=1";

/// What a form on the page sends.
async fn submit(browser: &Anonymous, path: &str, fields: &[(&str, &str)]) -> Answer {
    post(&browser.with("referer", &format!("{ORIGIN}/security")), path, fields).await
}

fn location(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.headers["location"].to_str().unwrap()
}

/// The same browser with what the answer left in it, too.
fn keeping(browser: &Anonymous, answer: &Answer, before: &str) -> Anonymous {
    let set = answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let cookies: Vec<&str> = set.map(|line| line.split(';').next().unwrap()).chain([before]).collect();
    browser.with("cookie", &cookies.join("; "))
}

/// Adds a passkey as the script of the page does.
async fn add_passkey(browser: &Anonymous, session: &str, device: &mut PasskeyBrowser) {
    let browser = browser.with("referer", &format!("{ORIGIN}/security"));
    let begun = browser.post("/security/passkeys/begin", &json!({})).await;
    assert_eq!(begun.status, 200, "{}", begun.body);
    let credential = device.create(ORIGIN, &begun.body).await;
    let sent = json!({ "name": "Laptop", "credential": credential });
    // Another browser of the same person, without the cookie of the ceremony.
    let elsewhere = browser.post("/security/passkeys/finish", &sent).await;
    assert_eq!(elsewhere.status, 409, "{}", elsewhere.body);
    let bound = keeping(&browser, &begun, session);
    let added = bound.post("/security/passkeys/finish", &sent).await;
    assert_eq!(added.body, json!({ "next": "/security?done=passkey-added" }));
}

/// Has a person who is signed in with this cookie ask for a second factor.
pub async fn ask_for_second_factor(app: &App, session: &str) {
    let here = app.anonymous().with("origin", ORIGIN).with("cookie", session);
    add_passkey(&here, session, &mut PasskeyBrowser::default()).await;
    assert_eq!(submit(&here, "/security/second-factor/passkeys", &[]).await.status, 200);
}

/// Signs in with the passkey, and answers with the cookie of the session.
async fn use_passkey(app: &App, device: &mut PasskeyBrowser) -> Answer {
    let browser = app.anonymous().with("origin", ORIGIN);
    let begun = browser.post("/sign-in/passkey/begin", &json!({})).await;
    let credential = device.get(ORIGIN, &begun.body).await.unwrap();
    let sent = json!({ "credential": credential, "next": "/security" });
    keeping(&browser, &begun, "a=b").post("/sign-in/passkey/finish", &sent).await
}

/// What stands between `before` and the next `after`.
fn between<'a>(page: &'a Answer, before: &str, after: &str) -> &'a str {
    page.body.as_str().unwrap().split(before).nth(1).unwrap().split(after).next().unwrap()
}

on_both! {
    async fn who_signed_in_long_ago_does_it_again_and_comes_back(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = signed_in(&app).await;
        app.clock.advance(Duration::from_mins(16));
        let page = browser.get("/security").await;
        assert!(page.body.as_str().unwrap().contains(&AGAIN.replace('&', "&amp;")), "{}", page.body);
        let begun = submit(&browser, "/security/second-factor/app", &[]).await;
        assert_eq!(location(&begun), AGAIN);
        let script = browser.with("referer", &format!("{ORIGIN}/security"));
        let begun = script.post("/security/passkeys/begin", &json!({})).await;
        assert_eq!(begun.body, json!({ "next": AGAIN }));
        // The page is shown to somebody who is signed in, and knows who.
        let form = browser.get(AGAIN).await;
        assert_eq!(form.status, 200);
        assert!(form.body.as_str().unwrap().contains(EMAIL));
        let fields = [("email", EMAIL), ("password", PASSWORD), ("next", "/security"), ("again", "1")];
        let answer = submit(&browser, "/sign-in", &fields).await;
        assert_eq!(location(&answer), "/security");
        assert_eq!(location(&browser.get("/security").await), "/sign-in?next=%2Fsecurity", "the one before ended");
        let fresh = keeping(&browser, &answer, "a=b");
        assert_eq!(submit(&fresh, "/security/second-factor/app", &[]).await.status, 200);
    }
}

on_both! {
    async fn what_is_another_s_is_not_there(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let (grace, alan) = (signed_in(&app).await, signed_in_as(&app, "alan@example.com").await);
        let mut device = PasskeyBrowser::default();
        let session = sign_in(&app, EMAIL).await;
        let other = app.anonymous().with("origin", ORIGIN).with("cookie", &session);
        add_passkey(&other, &session, &mut device).await;
        let page = grace.get("/security").await;
        let passkey = between(&page, "/security/passkeys/", "/rename").to_owned();
        let session = between(&page, "/security/sessions/", "/end").to_owned();
        let unknown = "019d0000-0000-7000-8000-000000000000";
        for (kind, id, act) in [("passkeys", &passkey, "rename"), ("passkeys", &passkey, "remove"), ("sessions", &session, "end")] {
            let mut told = Vec::new();
            for id in [id.as_str(), unknown, "1"] {
                let path = format!("/security/{kind}/{id}/{act}");
                let answer = submit(&alan, &path, &[("name", "mine")]).await;
                assert_eq!(answer.status, 404, "{path}");
                told.push(answer.body);
            }
            assert!(told.iter().all(|body| *body == told[0]), "{kind} {act}: an id of another's is told apart");
        }
        assert_eq!(other.get("/security").await.status, 200);
        assert!(grace.get("/security").await.body.as_str().unwrap().contains("Laptop"));
        assert_eq!(use_passkey(&app, &mut device).await.body, json!({ "next": "/security" }));
        // Its person can.
        assert_eq!(location(&submit(&grace, &format!("/security/sessions/{session}/end"), &[]).await), "/security?done=session-ended");
        assert_eq!(other.get("/security").await.status, 303);
        assert_eq!(location(&submit(&grace, &format!("/security/passkeys/{passkey}/remove"), &[]).await), "/security?done=passkey-removed");
        assert_eq!(use_passkey(&app, &mut device).await.status, 401);
    }
}

on_both! {
    async fn codes_are_not_guessed_and_a_passkey_passes_where_they_are_asked_for(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let grace = signed_in(&app).await;
        let none = submit(&grace, "/security/second-factor/passkeys", &[]).await;
        assert_eq!(none.status, 409);
        let session = sign_in(&app, EMAIL).await;
        let here = app.anonymous().with("origin", ORIGIN).with("cookie", &session);
        let mut device = PasskeyBrowser::default();
        add_passkey(&here, &session, &mut device).await;
        let shown = submit(&here, "/security/second-factor/passkeys", &[]).await;
        assert_eq!(shown.status, 200);
        let code = between(&shown, "<pre data-copyable>", "\n").to_owned();
        // Passkeys can't go while they are asked for.
        let page = here.get("/security").await;
        let passkey = between(&page, "/security/passkeys/", "/rename").to_owned();
        assert_eq!(submit(&here, &format!("/security/passkeys/{passkey}/remove"), &[]).await.status, 409);
        let waiting = sign_in(&app, EMAIL).await;
        let half = app.anonymous().with("origin", ORIGIN).with("cookie", &waiting);
        assert_eq!(half.get("/security").await.status, 303, "half signed in is not signed in");
        for _ in 0..20 {
            assert_eq!(submit(&half, "/sign-in/code", &[("code", "aaaa-aaaa-aaaa-aaaa")]).await.status, 401);
        }
        // Not even the right one now.
        assert_eq!(submit(&half, "/sign-in/code", &[("code", &code)]).await.status, 429);
        assert_eq!(use_passkey(&app, &mut device).await.status, 200);
        app.clock.advance(Duration::from_mins(15));
        let waiting = sign_in(&app, EMAIL).await;
        let half = app.anonymous().with("origin", ORIGIN).with("cookie", &waiting);
        let done = submit(&half, "/sign-in/code", &[("code", &code), ("next", "/security")]).await;
        assert_eq!(location(&done), "/security");
        assert_eq!(keeping(&half, &done, "a=b").get("/security").await.status, 200);
    }
}

on_both! {
    async fn a_new_password_asks_for_the_old_one_and_signs_out_everywhere_else(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let grace = signed_in(&app).await;
        let session = sign_in(&app, EMAIL).await;
        let other = app.anonymous().with("origin", ORIGIN).with("cookie", &session);
        let change = |current: &'static str, password: &'static str| {
            let grace = grace.clone();
            async move { submit(&grace, "/security/password", &[("current", current), ("password", password)]).await }
        };
        let wrong = change("not the password at all", "another good long one").await;
        assert_eq!(wrong.status, 401);
        assert!(wrong.body.as_str().unwrap().contains("This is not your current password."));
        assert_eq!(change(PASSWORD, "short").await.status, 400);
        assert_eq!(other.get("/security").await.status, 200);
        assert_eq!(location(&change(PASSWORD, "another good long one").await), "/security?done=password-changed");
        assert_eq!((grace.get("/security").await.status.as_u16(), other.get("/security").await.status.as_u16()), (200, 303));
        let fields = [("email", EMAIL), ("password", PASSWORD)];
        assert_eq!(submit(&app.anonymous().with("origin", ORIGIN), "/sign-in", &fields).await.status, 401);
    }
}

on_both! {
    async fn the_second_half_of_a_ceremony_is_good_once_and_for_no_other_site(test) with MIGRATIONS; {
        let app = App::on(test).await;
        signed_in(&app).await;
        let session = sign_in(&app, EMAIL).await;
        let here = app.anonymous().with("origin", ORIGIN).with("cookie", &session);
        let mut device = PasskeyBrowser::default();
        add_passkey(&here, &session, &mut device).await;
        let browser = app.anonymous().with("origin", ORIGIN);
        let begun = browser.post("/sign-in/passkey/begin", &json!({ "email": "nobody@example.com" })).await;
        // Nobody's address has a passkey, too.
        assert_eq!(begun.body["publicKey"]["allowCredentials"].as_array().map(Vec::len), Some(1));
        let begun = browser.post("/sign-in/passkey/begin", &json!({ "email": EMAIL })).await;
        assert_eq!(begun.body["publicKey"]["allowCredentials"].as_array().map(Vec::len), Some(1));
        let sent = json!({ "credential": device.get(ORIGIN, &begun.body).await.unwrap(), "next": "//evil.example" });
        let bound = keeping(&browser, &begun, "a=b");
        let foreign = bound.with("origin", "https://evil.example.com").post("/sign-in/passkey/finish", &sent).await;
        assert_eq!(foreign.status, 403);
        let first = bound.post("/sign-in/passkey/finish", &sent).await;
        assert_eq!((first.status.as_u16(), &first.body), (200, &json!({ "next": "/" })));
        let second = bound.post("/sign-in/passkey/finish", &sent).await;
        assert_eq!((second.status.as_u16(), &second.body["next"]), (401, &Value::Null));
    }
}
