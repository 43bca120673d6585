//! What clients ask for, and what they and their person are told.

use std::collections::BTreeSet;

use serde_json::json;
use stoa_testing::on_both;

use crate::oauth::{CALLBACK, Stage, link, local, told};
use crate::support::{Answer, MIGRATIONS, post};

/// The scopes that the page of a request offers.
async fn offered(stage: &Stage, changes: &[(&str, &str)]) -> BTreeSet<String> {
    let page = stage.browser.get(&local(&stage.ask(changes).await)).await;
    let html = page.body.as_str().unwrap().to_owned();
    let boxes = html.split("name=\"scope\" value=\"").skip(1);
    boxes.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

on_both! {
    async fn row_04_scopes_of_openid_connect_are_passed_over(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let theirs = [("scope", "openid profile email offline_access")];
        let default = offered(&stage, &[]).await;
        assert!(default.contains("things:read"), "{default:?}");
        assert_eq!(offered(&stage, &theirs).await, default);
        let both = [("scope", "openid things:read")];
        assert_eq!(offered(&stage, &both).await, BTreeSet::from(["things:read".to_owned()]));
        let yes = [("decision", "connect"), ("scope", "things:read")];
        let to = link(&stage.decide(&stage.ask(&theirs).await, &yes).await);
        let given = stage.redeem("/things", &told(&to, "code").unwrap(), &[]).await.body;
        assert_eq!(given["scope"], "things:read");
        // A refresh may ask for them again.
        let renewed = stage.renew(&given, &theirs).await;
        assert_eq!((renewed.status.as_u16(), &renewed.body["scope"]), (200, &json!("things:read")));
    }
}

fn challenge(answer: &Answer) -> &str {
    answer.headers["www-authenticate"].to_str().unwrap()
}

on_both! {
    async fn row_21_the_first_challenge_asks_for_everything_and_later_refusals_are_answers(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let refused = stage.app.anonymous().call("search_things", json!({})).await;
        assert_eq!(refused.status, 401);
        let all: Vec<_> = things::SCOPES.iter().map(|scope| scope.name).collect();
        assert!(challenge(&refused).contains(&format!("scope=\"{}\"", all.join(" "))), "{}", challenge(&refused));
        // What the grant does not open is refused in the answer: no 401 or 403, which clients read as an old token.
        let given = stage.given().await;
        let bearer = stage.app.anonymous().with_token(given["access_token"].as_str().unwrap());
        for tool in ["sync_resource", "list_runs", "no_such_tool"] {
            let answer = bearer.call(tool, json!({})).await;
            assert_eq!(answer.status, 200, "{tool}");
            assert!(answer.headers.get("www-authenticate").is_none(), "{tool}");
            assert_eq!(answer.body["error"]["message"], format!("Tool not found: {tool}"));
        }
    }
}

on_both! {
    async fn row_22_a_callback_on_another_machine_is_shown_to_be_copied(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let after = stage.connect().await;
        let html = after.body.as_str().unwrap();
        let (_, shown) = html.split_once("<pre data-copyable>").unwrap();
        let shown = shown.split('<').next().unwrap().replace("&#38;", "&");
        assert!(shown.starts_with(CALLBACK), "{shown}");
        assert_eq!(shown, link(&after).as_str());
        // The program is given it by hand, and redeems the code as if its browser had come.
        let code = told(&shown.parse().unwrap(), "code").unwrap();
        assert_eq!(stage.redeem("/things", &code, &[]).await.status, 200);
        // Or it needs none of this: a token by hand.
        let fields = [("mount", "things"), ("scope", "things:read"), ("label", "far away"), ("days", "30")];
        let made = post(&stage.browser, "/agents/new", &fields).await;
        let html = made.body.as_str().unwrap();
        let token = html.split("<pre data-copyable>").nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(stage.app.anonymous().with_token(token).status_at("/things/mcp").await, 200);
    }
}

on_both! {
    async fn row_29_the_diagnosis_says_what_was_seen_and_what_to_do(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let given = stage.given().await;
        let seen = || async { stage.browser.get("/diagnosis").await.body.as_str().unwrap().to_owned() };
        let page = seen().await;
        for step in ["Registered", "Sent a person here", "A person decided", "Redeemed the answer"] {
            assert!(page.contains(step), "{step}: {page}");
        }
        assert!(!page.contains("card error"), "so far all went well: {page}");
        // The program does not keep what it was given, and tries the code once more.
        let code = stage.code().await;
        stage.redeem("/things", &code, &[("code_verifier", "another-verifier-another-verifier-another-v")]).await;
        let page = seen().await;
        assert!(page.contains("<code>invalid_grant</code>") && page.contains("Connect again."), "{page}");
        for secret in [&code, given["access_token"].as_str().unwrap(), given["refresh_token"].as_str().unwrap()] {
            assert!(!page.contains(secret));
        }
    }
}
