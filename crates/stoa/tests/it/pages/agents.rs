//! The page of agents, and personal tokens.

use serde_json::json;
use stoa_identity::{Role, installations};
use stoa_testing::on_both;

use super::member;
use crate::support::{Anonymous, App, MIGRATIONS, post};

/// Sends a form: the status, and the page that came back.
pub async fn send(browser: &Anonymous, path: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let answer = post(browser, path, fields).await;
    (answer.status.as_u16(), answer.body.as_str().unwrap_or_default().to_owned())
}

/// The token that a page shows.
fn token(page: &str) -> &str {
    let (_, rest) = page.split_once("<pre data-copyable>").unwrap();
    rest.split('<').next().unwrap()
}

async fn shown(browser: &Anonymous) -> String {
    browser.get("/agents").await.body.as_str().unwrap().to_owned()
}

/// The id of the first agent on the page.
async fn first_agent(browser: &Anonymous) -> String {
    let page = shown(browser).await;
    let (_, rest) = page.split_once("/activity?agent=").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

const READING: &[(&str, &str)] = &[
    ("mount", "things"),
    ("scope", "things:read"),
    ("label", "CI <b>"),
    ("days", "30"),
    ("run_budget", "3"),
];

on_both! {
    async fn a_personal_token_does_what_was_ticked_and_nothing_else_until_it_is_ended(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Member).await;
        let (status, made) = send(&browser, "/agents/new", READING).await;
        assert_eq!(status, 200);
        assert!(made.contains("claude mcp add --transport http things http://localhost:8787/things/mcp"), "{made}");
        let agent = app.anonymous().with_token(token(&made));
        let tools = agent.tools_at("/things/mcp").await;
        assert!(tools.contains(&"search_things".to_owned()) && !tools.contains(&"sync_resource".to_owned()));
        assert_eq!(agent.status_at("/mcp").await, 401);
        agent.call("search_things", json!({})).await;
        app.house.audit.stop().await;

        let page = shown(&browser).await;
        assert!(page.contains("CI &#60;b&#62;") && !page.contains("CI <b>"), "{page}");
        for said in ["3 of 3 left", "Search your files", "Search: once"] {
            assert!(page.contains(said), "{said} in {page}");
        }
        assert!(!page.contains(token(&made)), "a token is shown once");

        let id = first_agent(&browser).await;
        let (renamed, _) = send(&browser, &format!("/agents/{id}/rename"), &[("label", "Laptop")]).await;
        assert_eq!(renamed, 303);
        assert!(shown(&browser).await.contains("Laptop"));
        assert_eq!(send(&browser, &format!("/agents/{id}/end"), &[]).await.0, 303);
        assert_eq!(agent.status_at("/things/mcp").await, 401);
        assert!(shown(&browser).await.contains("No agent is connected yet"));
    }
}

on_both! {
    async fn a_token_for_nothing_is_not_made(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Member).await;
        for scopes in [&[("mount", "things")][..], &[("mount", "things"), ("scope", "workspace:members")]] {
            let (status, page) = send(&browser, "/agents/new", scopes).await;
            assert_eq!(status, 400);
            assert!(page.contains("Tick at least one thing"), "{page}");
        }
    }
}

on_both! {
    async fn an_agent_of_somebody_else_is_as_one_that_never_was(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Owner).await;
        let other = app.token(app.house.default).await;
        let of_other = || async { installations::list(&app.house.db, app.house.default).await.unwrap().remove(0) };
        let unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
        for id in [of_other().await.id.to_string(), unknown.to_owned(), "x".to_owned()] {
            for act in ["end", "rename"] {
                let (status, _) = send(&browser, &format!("/agents/{id}/{act}"), &[("label", "mine")]).await;
                assert_eq!(status, 303, "{act} {id}");
            }
        }
        assert_eq!(other.status_at("/things/mcp").await, 200);
        assert_eq!(of_other().await.label, "test");
    }
}
