//! One walk through the tools, as an agent takes it.

use serde_json::json;
use stoa_testing::on_both;

use crate::support::{App, MIGRATIONS};

on_both! {
    async fn an_agent_lists_syncs_searches_and_reads(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let text = "The lease ends on the last day of March.";
        let resource = app.folder(default, "docs", &[("lease.md", text), ("other.txt", "nothing")]).await;
        let bearer = app.token(default).await;
        let found = bearer.call("search_things", json!({ "query": "\"last day\" -nothing" })).await.structured();
        assert_eq!((&found["total"], &found["total_is_lower_bound"]), (&json!(1), &json!(false)));
        assert_eq!(found["things"][0]["references"][0]["key"], "lease.md");
        assert_eq!(found["completeness"]["of"], 1);
        assert!(found.get("next_cursor").is_none());
        let read = bearer.call("get_thing", json!({ "id": found["things"][0]["id"] })).await;
        assert_eq!(read.structured()["body"], text);
        let printed: serde_json::Value =
            serde_json::from_str(read.body["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(printed, read.structured());
        let checked = bearer.call("check_resource", json!({ "resource_id": resource })).await.structured();
        assert_eq!(checked["reachable"], true, "{checked}");
        let described = bearer.call("describe_resource", json!({ "resource_id": resource })).await.structured();
        assert_eq!((&described["connector"], &described["commands"]), (&json!("folder"), &json!([])));
        let listed = bearer.call("list_resources", json!({})).await.structured();
        let names: Vec<_> = listed["resources"].as_array().unwrap().iter().map(|r| r["name"].clone()).collect();
        assert_eq!(names, ["storage", "docs"]);
    }
}

on_both! {
    async fn the_mount_of_all_services_lists_the_same_tools(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let scopes = || things::SCOPES.iter().map(|scope| scope.name);
        let all = app.token_at(app.house.default, "all", scopes()).await;
        let own = app.token(app.house.default).await;
        assert_eq!(all.tools_at("/mcp").await, own.tools_at("/things/mcp").await);
        assert_eq!(all.status_at("/things/mcp").await, 401);
        assert_eq!(own.status_at("/mcp").await, 401);
    }
}
