//! How far an agent's access goes, as its person ticks it: on the consent page, and for a personal token.

use serde_json::json;
use stoa_testing::on_both;

use super::{Stage, link, local, told};
use crate::support::{Answer, App, MIGRATIONS, post};

const YES: [(&str, &str); 2] = [("decision", "connect"), ("scope", "things:read")];

/// The stage, with two places.
async fn furnished(test: stoa_testing::TestDatabase) -> (Stage, [String; 2]) {
    let stage = Stage::on(test).await;
    let default = stage.app.house.default;
    let notes = stage.app.folder(default, "notes", &[("a.txt", "of the notes: olives")]).await;
    let diary = stage.app.folder(default, "diary", &[("b.txt", "of the diary: olives")]).await;
    (stage, [notes.to_string(), diary.to_string()])
}

/// What a search with this token finds.
async fn found(app: &App, token: &str) -> Vec<String> {
    let bearer = app.anonymous().with_token(token);
    let answer = bearer.call("search_things", json!({ "query": "olives" })).await.structured();
    let things = answer["things"].as_array().unwrap_or_else(|| panic!("{answer}"));
    things.iter().map(|thing| thing["title"].to_string()).collect()
}

fn said(answer: &Answer) -> &str {
    answer.body.as_str().unwrap()
}

on_both! {
    async fn an_agent_sees_the_ticked_places_alone(test) with MIGRATIONS; {
        let (stage, [notes, _]) = furnished(test).await;
        let asked = stage.ask(&[]).await;
        let page = stage.browser.get(&local(&asked)).await;
        assert!(said(&page).contains("Everywhere that you may go") && said(&page).contains("diary"), "{}", said(&page));
        let yes = [&YES[..], &[("reach", "only"), ("place", &notes)]].concat();
        let code = told(&link(&stage.decide(&asked, &yes).await), "code").unwrap();
        let given = stage.redeem("/things", &code, &[]).await;
        let seen = found(&stage.app, given.body["access_token"].as_str().unwrap()).await;
        assert_eq!(seen.len(), 1, "{seen:?}");
        let agents = stage.browser.get("/agents").await;
        assert!(said(&agents).contains("<dd>notes</dd>"), "{}", said(&agents));

        // The next time the page shows what was ticked.
        let again = stage.browser.get(&local(&stage.ask(&[]).await)).await;
        assert!(said(&again).contains(&format!("value=\"{notes}\" checked")), "{}", said(&again));
        assert!(said(&again).contains("value=\"only\" checked"));
    }
}

on_both! {
    async fn who_ticks_no_place_is_asked_again_and_loses_nothing(test) with MIGRATIONS; {
        let (stage, _) = furnished(test).await;
        let asked = stage.ask(&[]).await;
        let nowhere = [("decision", "connect"), ("reach", "only"), ("label", "Desk"), ("run_budget", "7")];
        let page = post(&stage.browser, &local(&asked), &nowhere).await;
        assert_eq!(page.status, 400);
        for kept in ["Tick at least one place", "value=\"Desk\"", "value=\"7\"", "value=\"only\" checked"] {
            assert!(said(&page).contains(kept), "{kept}: {}", said(&page));
        }
        assert!(!said(&page).contains("value=\"things:read\" checked"));
        // Nothing was decided.
        stage.decide(&asked, &YES).await;
    }
}

on_both! {
    async fn a_personal_token_goes_as_far_as_was_ticked(test) with MIGRATIONS; {
        let (stage, [_, diary]) = furnished(test).await;
        let wish = [("mount", "things"), ("scope", "things:read"), ("reach", "only")];
        let refused = post(&stage.browser, "/agents/new", &wish).await;
        assert!(refused.status == 400 && said(&refused).contains("Tick at least one place"));
        let made = post(&stage.browser, "/agents/new", &[&wish[..], &[("place", &diary)]].concat()).await;
        let token = said(&made).split("export STOA_TOKEN=").nth(1).unwrap();
        let token = token.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap();
        assert_eq!(found(&stage.app, token).await.len(), 1);
    }
}

on_both! {
    async fn of_another_workspace_no_place_is_shown(test) with MIGRATIONS; {
        let (stage, _) = furnished(test).await;
        let other = stage.app.other_workspace().await;
        stage.app.folder(other, "secrets", &[("c.txt", "of another: olives")]).await;
        let page = stage.browser.get(&local(&stage.ask(&[]).await)).await;
        assert!(!said(&page).contains("secrets"), "{}", said(&page));
    }
}
