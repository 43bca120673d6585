//! What the audit says of calls.

use serde_json::json;
use sqlx::query_as;
use stoa_store::on;
use stoa_testing::on_both;

use crate::support::{App, MIGRATIONS};

/// Tool and code of every entry with a status.
pub async fn entries(app: &App, status: &str) -> Vec<(String, Option<String>)> {
    let sql = "SELECT tool, code FROM audit_entry WHERE channel = 'mcp' AND status = $1 ORDER BY seq";
    on!(read app.house.db, c => query_as(sql).bind(status).fetch_all(c).await).unwrap()
}

on_both! {
    async fn every_call_is_there_with_its_arguments_and_without_the_token(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let bearer = app.token(app.house.default).await;
        bearer.call("search_things", json!({ "query": "quarterly report" })).await;
        bearer.call("get_thing", json!({ "id": "0192f3a1-b2c3-7def-8a01-23456789abcd" })).await;
        bearer.call("no_such_tool", json!({ "secret": "hunter2" })).await;
        app.house.audit.stop().await;
        assert_eq!(entries(&app, "ok").await, [("search_things".to_owned(), None)]);
        let not_found = Some("ActiveRecord::RecordNotFound".to_owned());
        assert_eq!(entries(&app, "error").await, [("get_thing".to_owned(), not_found)]);
        assert_eq!(entries(&app, "denied").await.len(), 1);
        let sql = "SELECT tool, arguments FROM audit_entry ORDER BY seq";
        let all: Vec<(String, String)> =
            on!(read app.house.db, c => query_as(sql).fetch_all(c).await).unwrap();
        let text = format!("{all:?}");
        assert!(text.contains("quarterly report"));
        assert!(!text.contains("hunter2") && !text.contains("stoa_pat_"), "{text}");
    }
}
