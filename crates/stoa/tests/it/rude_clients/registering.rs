//! How clients make themselves known.

use serde_json::json;
use stoa_testing::on_both;

use crate::oauth::{CALLBACK, Stage, link, local, register_as, told};
use crate::support::MIGRATIONS;

const YES: [(&str, &str); 2] = [("decision", "connect"), ("scope", "things:read")];

on_both! {
    async fn row_05_a_forgotten_client_is_told_of_so_that_its_person_can_help(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let forgotten = [("client_id", "0198f0e2-forgotten")];
        let page = stage.ask(&forgotten).await;
        assert_eq!(page.status, 400);
        assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        let said = page.body.as_str().unwrap();
        for (program, what) in [
            ("Claude Code", "claude mcp logout NAME"),
            ("Codex", "codex mcp logout NAME"),
            ("Gemini CLI", "/mcp auth NAME"),
            ("Cursor", "Cursor: Clear All MCP Tokens"),
            ("VS Code", "Authentication: Remove Dynamic Authentication Providers"),
            ("mcp-remote", "~/.mcp-auth"),
        ] {
            let line = said.lines().find(|line| line.contains(&format!("<li>{program}: "))).unwrap();
            assert!(line.contains(&format!("<code>{what}</code>")), "{line}");
        }
        let spanish = Stage { browser: stage.browser.with("accept-language", "es"), ..stage };
        assert!(spanish.ask(&forgotten).await.body.as_str().unwrap().contains("olvide este servidor"));
        // The program is told so that it can help itself.
        let code = spanish.code().await;
        let refused = spanish.redeem("/things", &code, &forgotten).await;
        assert_eq!((refused.status.as_u16(), &refused.body["error"]), (401, &json!("invalid_client")));
    }
}

on_both! {
    async fn row_06_a_loopback_client_comes_back_on_another_port(test) with MIGRATIONS; {
        let mut stage = Stage::on(test).await;
        let metadata = json!({ "client_name": "Ports", "redirect_uris": ["http://localhost/callback"] });
        stage.client = register_as(&stage.app, "/things", &metadata).await;
        let here = [("redirect_uri", "http://localhost:33418/callback")];
        let to = link(&stage.decide(&stage.ask(&here).await, &YES).await);
        assert_eq!((to.port(), to.path()), (Some(33418), "/callback"));
        let code = told(&to, "code").unwrap();
        // To redeem it, the very one; to ask, nothing else than the port differs.
        let there = [("redirect_uri", "http://localhost:33419/callback")];
        assert_eq!(stage.redeem("/things", &code, &there).await.body["error"], "invalid_grant");
        assert_eq!(stage.redeem("/things", &code, &here).await.status, 200);
        for other in ["http://localhost:33418/other", "http://127.0.0.1:33418/callback", "http://localhost:33418/callback/"] {
            assert_eq!(stage.ask(&[("redirect_uri", other)]).await.status, 400, "{other}");
        }
    }
}

on_both! {
    async fn row_15_three_redirects_at_once_are_taken_and_one_that_runs_something_is_not(test) with MIGRATIONS; {
        let mut stage = Stage::on(test).await;
        let app = "cursor://anysphere.cursor-mcp/oauth/callback";
        let site = "https://www.cursor.com/agents/mcp/oauth/callback";
        let metadata = |third: &str| {
            json!({ "client_name": "Cursor", "redirect_uris": [app, site, third], "token_endpoint_auth_method": "none" })
        };
        stage.client = register_as(&stage.app, "/things", &metadata("http://localhost:8787/callback")).await;
        for uri in [app, site, "http://localhost:50505/callback"] {
            let after = stage.decide(&stage.ask(&[("redirect_uri", uri)]).await, &YES).await;
            assert!(link(&after).as_str().starts_with(&format!("{uri}?")), "{uri}");
        }
        for other in ["cursor://anysphere.cursor-mcp/oauth/callback/", "cursor://evil/oauth/callback", "CURSOR://anysphere.cursor-mcp/oauth/callback"] {
            assert_eq!(stage.ask(&[("redirect_uri", other)]).await.status, 400, "{other}");
        }
        for bad in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"] {
            let refused = stage.app.anonymous().post("/things/oauth/register", &metadata(bad)).await;
            assert_eq!((refused.status.as_u16(), &refused.body["error"]), (400, &json!("invalid_redirect_uri")));
            assert!(refused.body["error_description"].as_str().unwrap().contains(bad), "{}", refused.body);
        }
    }
}

on_both! {
    async fn row_28_registration_asks_for_no_token_and_says_when_to_come_again(test) with MIGRATIONS; {
        let stage = Stage::with(test, &[("STOA_FLOOD__OAUTH_PER_SECOND", "1")]).await;
        let metadata = json!({ "client_name": "Other", "redirect_uris": [CALLBACK] });
        let (here, there) = (stage.app.anonymous().at("192.0.2.7"), stage.app.anonymous().at("192.0.2.8"));
        for _ in 0..5 {
            assert_eq!(here.post("/things/oauth/register", &metadata).await.status, 201);
        }
        let refused = here.post("/things/oauth/register", &metadata).await;
        assert_eq!(refused.status, 429);
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() >= 1);
        assert_eq!(there.post("/things/oauth/register", &metadata).await.status, 201);
        // Whose program never gets through has another way: a token by hand.
        let page = stage.browser.get("/agents/new").await;
        assert_eq!(page.status, 200);
    }
}

on_both! {
    async fn row_30_the_same_metadata_is_one_client_and_a_look_alike_is_asked_about(test) with MIGRATIONS; {
        let mut stage = Stage::on(test).await;
        stage.given().await;
        let same = json!({ "client_name": "Program", "redirect_uris": ["http://127.0.0.1:1234/callback"] });
        assert_eq!(register_as(&stage.app, "/things", &same).await, stage.client);
        // Only the name is the same: that somebody said yes to the other is worth nothing.
        let look_alike = json!({ "client_name": "Program", "redirect_uris": ["https://evil.example.com/callback"] });
        let real = std::mem::replace(&mut stage.client, register_as(&stage.app, "/things", &look_alike).await);
        assert_ne!(stage.client, real);
        let asked = stage.ask(&[("redirect_uri", "https://evil.example.com/callback")]).await;
        let page = stage.browser.get(&local(&asked)).await;
        let html = page.body.as_str().unwrap();
        for shown in ["Unverified name", "evil.example.com", "Connect an agent?"] {
            assert!(html.contains(shown), "{html}");
        }
        assert!(!html.contains("continue_as"), "the real one's agents are not its own");
        assert_eq!(stage.ask(&[]).await.status, 400, "nor is the real one's redirect");
    }
}
