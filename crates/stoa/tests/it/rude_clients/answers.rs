//! What clients make of answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stoa_testing::on_both;

use crate::support::{Answer, App, MIGRATIONS};

/// Where a page ends, in bytes.
const PAGE: usize = 64 * 1024;

/// The structured answer; no page of it, nor of the text beside it, is longer than clients take.
fn bounded(answer: &Answer) -> Value {
    let structured = answer.structured();
    assert!(structured.to_string().len() <= PAGE, "{}", structured.to_string().len());
    let text = answer.body["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.len() <= PAGE, "{}", text.len());
    structured
}

on_both! {
    async fn row_13_long_results_come_in_pages_that_lose_nothing(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let names: Vec<String> = (0..150).map(|n| format!("{n:03}{}.txt", "-a-long-name".repeat(19))).collect();
        let words = "words ".repeat(100);
        let texts: Vec<String> = names.iter().map(|name| format!("{} {words}", &name[..3])).collect();
        let mut files: Vec<_> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let long = "🦉 who \"reads\" this\n".repeat(5_000);
        files.push(("long.md", &long));
        app.folder(app.house.default, "many", &files).await;
        let bearer = app.token(app.house.default).await;

        let (mut found, mut pages, mut cursor) = (BTreeSet::new(), 0, Value::Null);
        loop {
            let asked = json!({ "query": "words", "limit": 200, "cursor": cursor });
            let page = bounded(&bearer.call("search_things", asked).await);
            for thing in page["things"].as_array().unwrap() {
                assert!(found.insert(thing["id"].as_str().unwrap().to_owned()), "shown twice");
            }
            pages += 1;
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(found.len(), names.len());
        assert!(pages > 1, "all on one page");

        let owl = bounded(&bearer.call("search_things", json!({ "query": "reads" })).await);
        let (mut body, mut offset) = (String::new(), json!(0));
        while !offset.is_null() {
            let asked = json!({ "id": owl["things"][0]["id"], "offset": offset });
            let part = bounded(&bearer.call("get_thing", asked).await);
            body += part["body"].as_str().unwrap();
            offset = part["next_offset"].clone();
        }
        assert_eq!(body, long);
    }
}
