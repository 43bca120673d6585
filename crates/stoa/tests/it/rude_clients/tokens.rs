//! What clients do with their tokens.

use std::time::Duration;

use futures::future::join_all;
use stoa_testing::on_both;

use crate::oauth::{Stage, link, local, told};
use crate::pages::{EMAIL, sign_in};
use crate::support::{MIGRATIONS, post};

const DAY: Duration = Duration::from_hours(24);

on_both! {
    async fn row_01_many_processes_share_one_refresh_token(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let given = stage.given().await;
        let pairs = join_all((0..5).map(|_| stage.renew(&given, &[]))).await;
        assert!(pairs.iter().all(|pair| pair.status == 200 && pair.body["refresh_token"] == pairs[0].body["refresh_token"]));
        // The one that lost the race has not lost its sign-in, as long as it asks within the grace.
        stage.app.clock.advance(Duration::from_secs(59));
        let late = stage.renew(&given, &[]).await;
        assert_eq!(late.body["access_token"], pairs[0].body["access_token"]);
        assert_eq!(stage.status("/things/mcp", &late.body).await, 200);
        // Four days later nobody can say who shows it: the newest tokens end as well, and the person connects again.
        let newest = stage.renew(&late.body, &[]).await.body;
        stage.app.clock.advance(4 * DAY);
        assert_eq!(stage.renew(&given, &[]).await.body["error"], "invalid_grant");
        assert_eq!(stage.renew(&newest, &[]).await.body["error"], "invalid_grant");
        assert_eq!(stage.status("/things/mcp", &stage.given().await).await, 200);
    }
}

on_both! {
    async fn row_01_an_operator_may_forgive_a_day(test) with MIGRATIONS; {
        let stage = Stage::with(test, &[("STOA_OAUTH__REFRESH_GRACE", "86400")]).await;
        let given = stage.given().await;
        let first = stage.renew(&given, &[]).await.body;
        stage.app.clock.advance(Duration::from_secs(86_399));
        let again = stage.renew(&given, &[]).await;
        assert_eq!((again.status.as_u16(), &again.body["refresh_token"]), (200, &first["refresh_token"]));
        let next = stage.renew(&again.body, &[]).await;
        assert_eq!(stage.status("/things/mcp", &next.body).await, 200);
    }
}

/// The agents that the person's page lists, ended ones aside.
async fn agents(stage: &Stage) -> usize {
    let page = stage.browser.get("/agents").await;
    page.body.as_str().unwrap().matches("/activity?agent=").count()
}

/// What the consent page has ticked of the agents to go on as; empty: a new one.
fn preselected(page: &str) -> String {
    let choice = page.split("name=\"continue_as\" value=\"").skip(1);
    let ticked =
        choice.filter_map(|rest| rest.split_once('"')).find(|(_, rest)| rest.starts_with(" checked"));
    ticked.unwrap().0.to_owned()
}

on_both! {
    async fn row_02_who_authorizes_in_place_of_a_refresh_goes_on_as_who_they_were(test) with MIGRATIONS; {
        let mut stage = Stage::on(test).await;
        stage.given().await;
        // While its tokens are good, another process of the same program is another agent.
        let asked = stage.ask(&[]).await;
        let page = stage.browser.get(&local(&asked)).await;
        assert_eq!(preselected(page.body.as_str().unwrap()), "");
        // A month without a refresh: the one that there is is meant.
        stage.app.clock.advance(31 * DAY);
        stage.browser = stage.browser.with("cookie", &sign_in(&stage.app, EMAIL).await);
        let asked = stage.ask(&[]).await;
        let page = stage.browser.get(&local(&asked)).await;
        let html = page.body.as_str().unwrap();
        let agent = preselected(html);
        assert!(!agent.is_empty() && html.contains("Continue as Program"), "{html}");
        let yes = [("decision", "connect"), ("scope", "things:read"), ("continue_as", agent.as_str())];
        assert_eq!(post(&stage.browser, &local(&asked), &yes).await.status, 200);
        assert_eq!(agents(&stage).await, 1);
    }
}

on_both! {
    async fn row_03_a_refresh_needs_no_resource_and_takes_it_with_and_without_a_slash(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let resource = [("resource", "http://localhost:8787/things/mcp")];
        let yes = [("decision", "connect"), ("scope", "things:read")];
        let to = link(&stage.decide(&stage.ask(&resource).await, &yes).await);
        let code = told(&to, "code").unwrap();
        let given = stage.redeem("/things", &code, &resource).await.body;
        // Neither without nor with one does the token become good elsewhere.
        let bare = stage.renew(&given, &[]).await.body;
        let slash = stage.renew(&bare, &[("resource", "http://localhost:8787/things/mcp/")]).await.body;
        for renewed in [&bare, &slash] {
            assert_eq!(stage.status("/things/mcp", renewed).await, 200);
            assert_eq!(stage.status("/mcp", renewed).await, 401);
        }
        let other = stage.renew(&slash, &[("resource", "http://localhost:8787/mcp")]).await;
        assert_eq!(other.body["error"], "invalid_target");
    }
}
