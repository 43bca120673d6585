//! The authorization server over HTTP, as a program and a person's browser use it; and what attackers try.

mod attacks;
mod own_hosts;
mod reach;
mod stage;

use serde_json::json;
pub use stage::{CALLBACK, LEFT_OUT, Stage, link, local, register_as, told};
use stoa_testing::on_both;
use url::Url;

use crate::pages::{EMAIL, PASSWORD};
use crate::support::{MIGRATIONS, post};

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
        assert_eq!(stage.status("/things/mcp", &given.body).await, 200);
        // A token is good at one mount.
        assert_eq!(stage.status("/mcp", &given.body).await, 401);
        let renewed = stage.renew(&given.body, &[]).await;
        assert_eq!(stage.status("/things/mcp", &renewed.body).await, 200);
        // Whose answer was lost asks again, and gets the identical pair.
        assert_eq!(stage.renew(&given.body, &[]).await.body["access_token"], renewed.body["access_token"]);
        let wider = stage.renew(&renewed.body, &[("scope", "things:read resources:command")]).await;
        assert_eq!(wider.body["error"], "invalid_scope");
        let token = renewed.body["refresh_token"].as_str().unwrap();
        let back = [("client_id", stage.client.as_str()), ("token", token)];
        assert_eq!(post(&stage.app.anonymous(), "/things/oauth/revoke", &back).await.status, 200);
        assert_eq!(stage.status("/things/mcp", &renewed.body).await, 401);
    }
}

on_both! {
    async fn a_code_that_is_shown_twice_takes_back_what_it_gave(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let code = stage.code().await;
        let given = stage.redeem("/things", &code, &[]).await;
        let replayed = stage.redeem("/things", &code, &[]).await;
        assert_eq!((replayed.status.as_u16(), &replayed.body["error"]), (400, &json!("invalid_grant")));
        assert_eq!(stage.status("/things/mcp", &given.body).await, 401);
    }
}

on_both! {
    async fn a_stolen_code_is_worth_nothing_and_nobody_learns_why(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let other = json!({ "client_name": "Other", "redirect_uris": [CALLBACK] });
        let other = register_as(&stage.app, "/things", &other).await;
        let mut answers = Vec::new();
        for changes in [
            vec![("code_verifier", "another-verifier-another-verifier-another-v")],
            vec![("code_verifier", "")],
            vec![("code_verifier", LEFT_OUT)],
            vec![("client_id", other.as_str())],
            vec![("redirect_uri", "http://127.0.0.1:4711/other")],
            vec![("code", "stoa_oac_nonsense")],
        ] {
            let code = stage.code().await;
            let refused = stage.redeem("/things", &code, &changes).await;
            assert_eq!(refused.status, 400, "{changes:?}: {}", refused.body);
            answers.push(refused.body);
        }
        // All but those that lack a parameter are told the same.
        for lacking in answers.drain(1..3) {
            assert_eq!(lacking["error"], "invalid_request");
        }
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
            "http://127.0.0.1:4711%2Fcallback",
            "http://127.0.0.1:4711/%2Fcallback",
            "http://127.0.0.1:4711/callback%2F",
            "http://127.0.0.1:4711/callback%2F..%2Fevil",
            "http://127.0.0.1:4711/%63allback",
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
            ([("code_challenge_method", LEFT_OUT)], "invalid_request"),
            ([("code_challenge", "")], "invalid_request"),
            ([("code_challenge", LEFT_OUT)], "invalid_request"),
            ([("response_type", "token")], "unsupported_response_type"),
            ([("resource", "https://other.example.com/mcp")], "invalid_target"),
        ] {
            let answer = stage.ask(&changes).await;
            let location = Url::parse(answer.headers["location"].to_str().unwrap()).unwrap();
            assert_eq!(location.port(), Some(4711), "{changes:?}");
            assert_eq!(told(&location, "error").as_deref(), Some(error), "{changes:?}");
            assert_eq!(told(&location, "iss").as_deref(), Some("http://localhost:8787/things"));
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
