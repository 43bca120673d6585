//! At the door: sessions that were planted, passwords that are guessed, ways on that lead elsewhere.

use std::time::Duration;

use serde_json::json;
use stoa_identity::{Door, Role, SignedIn, second_factors, sessions};
use stoa_testing::on_both;
use totp_rs::{Builder, Secret};

use crate::pages::{EMAIL, PASSWORD, add_member, add_person, cookie, enter};
use crate::support::{Anonymous, App, MIGRATIONS, form, post};

/// The person's page, signed in or not.
async fn is_in(browser: &Anonymous, cookie: &str) -> bool {
    browser.with("cookie", cookie).get("/agents").await.status == 200
}

async fn stranger(app: &App) -> Anonymous {
    add_person(app, EMAIL).await;
    add_member(app, EMAIL, Role::Member).await;
    app.anonymous().with("origin", "http://localhost:8787")
}

on_both! {
    async fn a_planted_session_is_worth_nothing_once_its_victim_signed_in(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = stranger(&app).await;
        // What was made up, and a session that is good: the attacker's own.
        add_person(&app, "mallory@example.com").await;
        let own = enter(&browser, "mallory@example.com").await;
        for planted in ["stoa-session=made-up".to_owned(), own] {
            let given = enter(&browser.with("cookie", &planted), EMAIL).await;
            assert_ne!(given, planted);
            assert!(is_in(&browser, &given).await && !is_in(&browser, &planted).await, "{planted}");
        }
        // Each sign-in is a session of its own.
        assert_ne!(enter(&browser, EMAIL).await, enter(&browser, EMAIL).await);
    }
}

/// Asks for codes of an app from now on; answers the app.
async fn enroll(app: &App, browser_cookie: &str) -> Secret {
    let (db, ambient) = (app.house.db.clone(), app.house.ambient.clone());
    let door = Door::new(db, ambient, app.house.key.clone(), "http://localhost:8787");
    let secret = browser_cookie.split_once('=').unwrap().1;
    let who: SignedIn = sessions::current(&door, secret).await.unwrap().unwrap();
    let act = || app.house.act(app.house.default, "second factor", json!({}));
    let enrollment = second_factors::begin_totp(&door, &act(), &who).await.unwrap();
    let secret = Secret::try_from_base32(&enrollment.secret).unwrap();
    second_factors::confirm_totp(&door, &act(), &who, &code(app, &secret)).await.unwrap();
    app.clock.advance(Duration::from_secs(30));
    secret
}

/// What the app shows now.
fn code(app: &App, secret: &Secret) -> String {
    let seconds = app.house.ambient.now().as_micros() / 1_000_000;
    let totp = Builder::new().with_secret(secret.clone()).build().unwrap();
    totp.generate(seconds.try_into().unwrap()).to_string()
}

on_both! {
    async fn the_session_changes_with_the_second_factor_too(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = stranger(&app).await;
        let secret = enroll(&app, &enter(&browser, EMAIL).await).await;
        let half = enter(&browser, EMAIL).await;
        assert!(!is_in(&browser, &half).await, "the password alone");
        let shown = code(&app, &secret);
        let answer = post(&browser.with("cookie", &half), "/sign-in/code", &[("code", &shown)]).await;
        let full = cookie(&answer);
        assert_ne!(full, half);
        assert!(is_in(&browser, &full).await && !is_in(&browser, &half).await);
    }
}

on_both! {
    async fn who_tries_many_accounts_is_told_the_same_of_each_and_then_to_wait(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = stranger(&app).await;
        let (sprayer, elsewhere) = (browser.at("192.0.2.7"), browser.at("198.51.100.9"));
        let guess = |browser: &Anonymous, email: &str, password: &'static str| {
            let (browser, email) = (browser.clone(), email.to_owned());
            async move { post(&browser, "/sign-in", &[("email", &email), ("password", password)]).await }
        };
        let mut told = Vec::new();
        let accounts = (0..49).map(|nobody| format!("nobody{nobody}@example.com")).chain([EMAIL.to_owned()]);
        for email in accounts {
            let answer = guess(&sprayer, &email, "Password123456!").await;
            told.push((answer.status.as_u16(), answer.body.as_str().unwrap().replace(&email, "EMAIL")));
        }
        assert_eq!(told[0].0, 401);
        assert!(told.iter().all(|answer| answer == &told[0]), "who is there and who is not");
        // Now even the right password waits from there, whosesoever it is, and from elsewhere it is good.
        let refused = guess(&sprayer, EMAIL, PASSWORD).await;
        assert_eq!(refused.status, 429, "{}", refused.body);
        assert_eq!(guess(&sprayer, "nobody@example.com", PASSWORD).await.status, 429);
        assert_eq!(guess(&elsewhere, EMAIL, PASSWORD).await.status, 303);
        app.clock.advance(Duration::from_secs(18));
        assert_eq!(guess(&sprayer, EMAIL, PASSWORD).await.status, 303);
    }
}

on_both! {
    async fn nobody_is_led_to_another_site_by_the_way_on(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = stranger(&app).await;
        let inside = browser.with("cookie", &enter(&browser, EMAIL).await);
        for next in [
            "https://evil.example.com/",
            "//evil.example.com",
            "/\\evil.example.com",
            "\\\\evil.example.com",
            "/\t/evil.example.com",
            "javascript:alert(1)",
            "evil.example.com",
            "http://localhost:8787@evil.example.com/",
            "/agents\r\nset-cookie: stoa-session=evil",
        ] {
            let show = inside.get(&format!("/sign-in?{}", form([("next", next)]))).await;
            let enter = post(&browser, "/sign-in", &[("email", EMAIL), ("password", PASSWORD), ("next", next)]).await;
            let choose = post(&browser, "/language", &[("language", "es"), ("next", next)]).await;
            for answer in [&show, &enter, &choose] {
                assert_eq!(answer.status, 303, "{next:?}");
                assert_eq!(answer.headers["location"], "/", "{next:?}");
                assert!(answer.headers.get_all("set-cookie").iter().all(|it| !it.to_str().unwrap().contains("evil")));
            }
            // Nor does the form carry it along.
            let page = browser.get(&format!("/sign-in?{}", form([("next", next)]))).await;
            assert!(page.body.as_str().unwrap().contains("name=\"next\" value=\"/\""), "{next:?}");
        }
    }
}
