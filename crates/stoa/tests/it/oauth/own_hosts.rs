//! A service at a host of its own: programs ask it there, people are met at the public URL, where their session is.

use serde_json::json;
use stoa_testing::{TestDatabase, on_both};

use super::stage::CALLBACK;
use super::{Stage, link, local, told};
use crate::support::{Anonymous, Answer, MIGRATIONS, post};

const HOST: &str = "things.example.com:8787";

/// The stage, and who asks at the service's own host.
async fn stage(test: TestDatabase) -> (Stage, Anonymous) {
    let file = test.folder.path().join("stoa.toml");
    std::fs::write(&file, format!("[hosts]\n'{HOST}' = {{ service = 'things', workspace = 'default' }}\n"))
        .unwrap();
    let stage = Stage::with(test, &[("STOA_CONFIG", file.to_str().unwrap())]).await;
    let there = stage.app.anonymous().with("host", HOST);
    (stage, there)
}

fn location(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.headers["location"].to_str().unwrap()
}

on_both! {
    async fn a_program_asks_at_the_own_host_and_its_person_says_yes_at_the_public_url(test) with MIGRATIONS; {
        let (mut stage, there) = stage(test).await;
        let metadata = json!({ "client_name": "Program", "redirect_uris": [CALLBACK] });
        let client = there.post("/oauth/register", &metadata).await.body["client_id"].clone();
        client.as_str().unwrap().clone_into(&mut stage.client);
        let sent = stage.ask_at(&there, "/oauth/authorize", &[]).await;
        let public = format!("http://localhost:8787/at/{HOST}/oauth");
        assert!(location(&sent).starts_with(&format!("{public}/authorize?response_type=code&")), "{}", location(&sent));
        let asked = stage.browser.get(&local(&sent)).await;
        assert!(location(&asked).starts_with(&format!("{public}/consent/")), "{}", location(&asked));

        let link = link(&stage.decide(&asked, &[("decision", "connect"), ("scope", "things:read")]).await);
        // The issuer is what the program knows it as (RFC 9207 section 2.4).
        assert_eq!(told(&link, "iss").unwrap(), format!("http://{HOST}"));
        let given = stage.redeem_at(&there, "", &told(&link, "code").unwrap(), &[]).await;
        assert_eq!(given.status, 200, "{}", given.body);
        let token = given.body["access_token"].as_str().unwrap();
        assert_eq!(there.with_token(token).status_at("/mcp").await, 200);
        assert_eq!(there.with_token(token).status_at("/things/mcp").await, 404);
    }
}

on_both! {
    async fn no_page_is_at_an_own_host(test) with MIGRATIONS; {
        let (stage, there) = stage(test).await;
        let browser = stage.browser.with("host", HOST);
        for (path, public) in [
            ("/", "http://localhost:8787/things/"),
            ("/sign-in?next=%2Fagents", "http://localhost:8787/sign-in?next=%2Fagents"),
            ("/agents", "http://localhost:8787/agents"),
        ] {
            assert_eq!(location(&browser.get(path).await), public);
        }
        // What is sent there is done nowhere.
        let own = there.with("origin", &format!("http://{HOST}"));
        let entered = post(&own, "/sign-in", &[("email", "a@example.com"), ("password", "x")]).await;
        assert_eq!(location(&entered), "http://localhost:8787/sign-in");
        assert!(entered.headers.get("set-cookie").is_none());
    }
}

on_both! {
    async fn at_the_public_url_only_an_own_host_of_ours_has_an_authorization_server(test) with MIGRATIONS; {
        let (stage, there) = stage(test).await;
        for host in ["evil.example.com", "localhost:8787", "things.example.com"] {
            let asked = stage.ask_at(&stage.browser, &format!("/at/{host}/oauth/authorize"), &[]).await;
            assert_eq!(asked.status, 404, "{host}");
            let consent = stage.browser.get(&format!("/at/{host}/oauth/consent/x")).await;
            assert_eq!(consent.status, 404, "{host}");
        }
        // Programs ask the own host itself.
        let token = post(&stage.app.anonymous(), &format!("/at/{HOST}/oauth/token"), &[]).await;
        assert_eq!(token.status, 404);
        let stranger = there.with("host", "localhost:8787").get(&format!("/at/{HOST}/oauth/consent/x")).await;
        assert!(location(&stranger).starts_with("/sign-in?next="));
    }
}
