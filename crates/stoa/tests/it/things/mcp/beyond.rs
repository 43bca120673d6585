//! Beyond tools: a thing as a resource, a run as a task, and what each method refuses.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_base::Id;
use stoa_runs::Run;
use stoa_testing::on_both;
use things::model::ThingId;

use super::audit::entries;
use crate::support::{Anonymous, Answer, App, Bearer, MIGRATIONS};

/// A request of 2026-07-28 by a client that follows tasks.
async fn ask(caller: &Anonymous, method: &str, mut params: Value) -> Answer {
    let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    let name =
        ["name", "uri", "taskId"].iter().find_map(|key| params[key].as_str()).unwrap_or_default().to_owned();
    let caller =
        caller.with("mcp-protocol-version", "2026-07-28").with("mcp-method", method).with("mcp-name", &name);
    caller
        .post("/things/mcp", &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
        .await
}

async fn result(bearer: &Bearer, method: &str, params: Value) -> Value {
    let answer = ask(bearer.caller(), method, params).await;
    assert!(answer.body.get("error").is_none(), "{}", answer.body);
    answer.body["result"].clone()
}

/// Parameters that are well formed and name nothing that is there. A method without a line here fails the test.
fn nothing(method: &str) -> Value {
    let ambient = stoa_base::Ambient::system();
    match method {
        "initialize"
        | "ping"
        | "server/discover"
        | "tools/list"
        | "prompts/list"
        | "resources/list"
        | "resources/templates/list"
        | "logging/setLevel" => json!({}),
        "tools/call" | "prompts/get" => json!({ "name": "nothing" }),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
            json!({ "uri": format!("stoa:things/thing/{}", ThingId::new(&ambient)) })
        }
        "completion/complete" => {
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "x", "value": "" } })
        }
        "subscriptions/listen" => json!({ "notifications": {} }),
        "tasks/get" | "tasks/update" | "tasks/cancel" => {
            json!({ "taskId": format!("things/{}", Id::<Run>::new(&ambient)) })
        }
        other => panic!("{other} has no refusal case"),
    }
}

on_both! {
    async fn no_method_answers_without_a_good_token_of_this_mount(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let scopes = things::SCOPES.iter().map(|scope| scope.name);
        let elsewhere = app.token_at(default, "all", scopes).await;
        // The newest token is the one to be revoked.
        app.clock.advance(Duration::from_secs(1));
        let revoked = app.token(default).await;
        app.revoke(&revoked).await;
        for method in stoa_mcp::Method::ALL.iter().map(|method| method.as_str()) {
            for caller in [&app.anonymous(), elsewhere.caller(), revoked.caller()] {
                let refused = ask(caller, method, nothing(method)).await;
                assert_eq!(refused.status, 401, "{method}: {}", refused.body);
            }
        }
    }
}

on_both! {
    async fn a_thing_is_read_by_its_link_and_the_newest_are_listed(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        app.folder(default, "docs", &[("lease.md", "The lease ends in March."), ("long.txt", &"word ".repeat(2_000))]).await;
        let bearer = app.token(default).await;
        let listed = result(&bearer, "resources/list", json!({})).await;
        let resources = listed["resources"].as_array().unwrap();
        let named = |name: &str| resources.iter().find(|it| it["description"] == name).unwrap()["uri"].clone();
        let read = async |uri: Value| result(&bearer, "resources/read", json!({ "uri": uri })).await;
        let lease = read(named("lease.md")).await;
        let expected = json!([{ "uri": named("lease.md"), "mimeType": "text/plain", "text": "The lease ends in March." }]);
        assert_eq!((&lease["contents"], &lease["cacheScope"]), (&expected, &json!("private")));
        let long = read(named("long.txt")).await["contents"][0]["text"].as_str().unwrap().to_owned();
        assert!(long.ends_with("\n[It goes on: get_thing with offset 8000]"), "{long}");
        let templates = result(&bearer, "resources/templates/list", json!({})).await;
        assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "stoa:things/thing/{id}");
        app.house.audit.stop().await;
        assert!(entries(&app, "ok").await.contains(&("resources/read".to_owned(), None)));
    }
}

on_both! {
    async fn a_thing_of_another_tenant_or_outside_the_grant_is_not_there(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        app.folder(default, "docs", &[("own.txt", "own words")]).await;
        let other = app.other_workspace().await;
        app.folder(other, "docs", &[("a.txt", "words of another tenant")]).await;
        let theirs = app.token(other).await;
        let theirs = theirs.caller().call_at("/w/other/things/mcp", "search_things", json!({})).await.structured();
        let bearer = app.token(default).await;
        let own = bearer.call("search_things", json!({})).await.structured();
        let link = |found: &Value| json!({ "uri": format!("stoa:things/thing/{}", found["things"][0]["id"].as_str().unwrap()) });
        let without_uri = |answer: &Answer| {
            let mut body = answer.body.clone();
            body["error"]["data"] = Value::Null;
            body
        };
        let unknown = ask(bearer.caller(), "resources/read", nothing("resources/read")).await;
        assert_eq!(unknown.body["error"]["code"], -32602);
        let foreign = ask(bearer.caller(), "resources/read", link(&theirs)).await;
        assert_eq!(without_uri(&foreign), without_uri(&unknown));
        let narrow = app.token_at(default, "things", ["resources:read"]).await;
        let hidden = ask(narrow.caller(), "resources/read", link(&own)).await;
        assert_eq!(without_uri(&hidden), without_uri(&unknown));
        assert_eq!(result(&narrow, "resources/list", json!({})).await["resources"], json!([]));
        let denied = entries(&app, "denied").await;
        assert!(denied.contains(&("resources/read".to_owned(), Some("Grant::Denied".to_owned()))), "{denied:?}");
    }
}

on_both! {
    async fn a_sync_is_a_task_for_who_follows_tasks_and_only_for_who_started_it(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let resource = app.folder(default, "docs", &[("a.txt", "words")]).await;
        let (bearer, other) = (app.token(default).await, app.token(default).await);
        let sync = json!({ "name": "sync_resource", "arguments": { "resource_id": resource } });
        let task = result(&bearer, "tools/call", sync.clone()).await;
        assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));
        let id = json!({ "taskId": task["taskId"] });
        let get = async |bearer: &Bearer| ask(bearer.caller(), "tasks/get", id.clone()).await;
        // Whoever asks for the same while it goes on waits for it, and is told its id.
        let joined = result(&other, "tools/call", sync).await;
        let run = joined["structuredContent"]["run_id"].as_str().unwrap().to_owned();
        assert_eq!(task["taskId"], format!("things/{run}"));
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let foreign = ask(other.caller(), method, id.clone()).await;
            let unknown = ask(other.caller(), method, nothing(method)).await;
            assert_eq!(foreign.body["error"]["code"], -32602, "{method}: {}", foreign.body);
            assert_eq!(foreign.body, unknown.body, "{method}");
        }
        assert_eq!(result(&bearer, "tasks/update", id.clone()).await["resultType"], "complete");
        app.work(default, run.parse().unwrap()).await;
        let done = get(&bearer).await.body["result"].clone();
        assert_eq!(done["status"], "completed");
        assert_eq!(done["result"]["structuredContent"]["status"], "done", "{done}");
    }
}

on_both! {
    async fn a_task_is_cancelled_by_who_started_it(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let resource = app.folder(default, "docs", &[("a.txt", "words")]).await;
        let bearer = app.token(default).await;
        let sync = json!({ "name": "sync_resource", "arguments": { "resource_id": resource } });
        let id = json!({ "taskId": result(&bearer, "tools/call", sync).await["taskId"] });
        result(&bearer, "tasks/cancel", id.clone()).await;
        assert_eq!(result(&bearer, "tasks/get", id).await["status"], "cancelled");
    }
}
