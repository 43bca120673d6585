//! The page of what was done.

use serde_json::{Value, json};
use stoa_identity::Role;
use stoa_testing::on_both;

use super::{EMAIL, member};
use crate::support::{Anonymous, App, MIGRATIONS};

async fn shown(browser: &Anonymous, path: &str) -> String {
    let page = browser.get(path).await;
    assert_eq!(page.status, 200, "{path}");
    page.body.as_str().unwrap().to_owned()
}

/// The owner's agent searches, and asks for what it was not granted.
async fn busy(app: &App) {
    let agent = app.token_at(app.house.default, "things", ["things:read"]).await;
    agent.call("search_things", json!({ "query": "<script>" })).await;
    agent.call("sync_resource", json!({})).await;
    app.house.audit.stop().await;
}

on_both! {
    async fn a_member_sees_what_they_did_in_words_and_nothing_of_others(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Member).await;
        busy(&app).await;
        let page = shown(&browser, "/activity").await;
        assert!(page.contains("Sign in") && page.contains(EMAIL), "{page}");
        assert!(!page.contains("search_things") && !page.contains("owner@example.com"), "{page}");
        let spanish = shown(&browser.with("accept-language", "es"), "/activity").await;
        assert!(spanish.contains("Iniciar sesión"), "{spanish}");
    }
}

on_both! {
    async fn an_owner_sees_everybody_s_acts_but_not_what_was_said_in_them(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Owner).await;
        busy(&app).await;
        let page = shown(&browser, "/activity").await;
        for said in ["search_things", "owner@example.com", "You did not allow it", "Refused"] {
            assert!(page.contains(said), "{said} in {page}");
        }
        assert!(!page.contains("script&#62;"), "{page}");
        let refused = shown(&browser, "/activity?status=denied&tool=sync_resource").await;
        assert!(refused.contains("sync_resource") && !refused.contains("search_things"), "{refused}");
        let never = shown(&browser, "/activity?day=1999-01-01").await;
        assert!(never.contains("Nothing was done that fits"), "{never}");
    }
}

on_both! {
    async fn the_export_has_a_json_line_for_each_entry_that_fits(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Admin).await;
        busy(&app).await;
        let answer = browser.get("/activity/export?status=denied").await;
        assert_eq!(answer.headers["content-disposition"], "attachment; filename=\"activity.jsonl\"");
        // One line is a JSON document as a whole.
        assert_eq!(answer.body["tool"], "sync_resource");
        assert_eq!(answer.body["arguments"], Value::Null);
        let all = browser.get("/activity/export").await;
        let lines = all.body.as_str().unwrap().lines();
        let tools: Vec<Value> =
            lines.map(|line| serde_json::from_str::<Value>(line).unwrap()["tool"].clone()).collect();
        assert!(tools.contains(&json!("search_things")) && tools.contains(&json!("sign in")), "{tools:?}");
    }
}
