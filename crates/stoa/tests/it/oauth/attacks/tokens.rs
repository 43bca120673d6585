//! With tokens of somebody else, of somewhere else, or of long ago.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_testing::on_both;

use crate::oauth::Stage;
use crate::support::{Answer, MIGRATIONS, post};

/// How a path answers who shows this.
async fn shown(stage: &Stage, path: &str, token: &str) -> Answer {
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    stage.app.anonymous().with_token(token).caller().post(path, &ping).await
}

fn token<'a>(given: &'a Value, kind: &str) -> &'a str {
    given[kind].as_str().unwrap()
}

on_both! {
    async fn a_token_that_is_not_good_here_gets_one_answer_whyever(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let other = stage.app.other_workspace().await;
        let unknown = shown(&stage, "/things/mcp", "stoa_oat_nonsense").await;
        assert_eq!(unknown.status, 401);
        let given = stage.given().await;
        assert_eq!(stage.status("/things/mcp", &given).await, 200);
        let mut refused = vec![
            ("a refresh token", shown(&stage, "/things/mcp", token(&given, "refresh_token")).await),
            ("a code", shown(&stage, "/things/mcp", &stage.code().await).await),
        ];
        // Of another mount and of another tenant, each good where it is at home.
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        let all = stage.app.token_at(stage.app.house.default, "all", ["things:read"]).await;
        let foreign = stage.app.token(other).await;
        assert_eq!((all.status_at("/mcp").await, foreign.status_at("/w/other/things/mcp").await), (200, 200));
        refused.push(("another mount's", all.caller().post("/things/mcp", &ping).await));
        refused.push(("another tenant's", foreign.caller().post("/things/mcp", &ping).await));
        for path in ["/mcp", "/w/other/things/mcp", "/w/other/mcp"] {
            assert_eq!(stage.status(path, &given).await, 401, "{path}");
        }
        let ended = stage.given().await;
        let back = [("client_id", stage.client.as_str()), ("token", token(&ended, "access_token"))];
        assert_eq!(post(&stage.app.anonymous(), "/things/oauth/revoke", &back).await.status, 200);
        refused.push(("revoked", shown(&stage, "/things/mcp", token(&ended, "access_token")).await));
        stage.app.clock.advance(Duration::from_secs(60 * 60 + 1));
        refused.push(("expired", shown(&stage, "/things/mcp", token(&given, "access_token")).await));
        for (why, answer) in refused {
            let told = |answer: &Answer| (answer.status, answer.raw.clone(), answer.headers["www-authenticate"].clone());
            assert_eq!(told(&answer), told(&unknown), "{why}");
        }
    }
}

on_both! {
    async fn a_refresh_token_that_comes_back_late_ends_what_thief_and_client_hold(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let given = stage.given().await;
        let first = stage.renew(&given, &[]).await.body;
        let newest = stage.renew(&first, &[]).await.body;
        assert_eq!(stage.status("/things/mcp", &newest).await, 200);
        stage.app.clock.advance(Duration::from_secs(61));
        assert_eq!(stage.renew(&given, &[]).await.body["error"], "invalid_grant");
        for held in [&given, &first, &newest] {
            assert_eq!(stage.status("/things/mcp", held).await, 401);
            assert_eq!(stage.renew(held, &[]).await.body["error"], "invalid_grant");
        }
        // The person connects again.
        assert_eq!(stage.status("/things/mcp", &stage.given().await).await, 200);
    }
}

on_both! {
    async fn two_refreshes_at_once_get_the_identical_pair(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let given = stage.given().await;
        let (one, other) = futures::join!(stage.renew(&given, &[]), stage.renew(&given, &[]));
        assert_eq!((one.status.as_u16(), other.status.as_u16()), (200, 200), "{} {}", one.body, other.body);
        for kind in ["access_token", "refresh_token"] {
            assert_eq!(one.body[kind], other.body[kind]);
            assert_ne!(one.body[kind], given[kind]);
        }
        assert_eq!(stage.status("/things/mcp", &one.body).await, 200);
    }
}
