//! A folder full of files that mean harm, synced by the real server with its real workers.

mod bombs;
mod corpus;
mod workers;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use self::corpus::Corpus;
use self::workers::Watch;
use crate::support::{Client, Place};

/// How long the sync may take: some of the files take a worker all its time.
const PATIENCE: Duration = Duration::from_mins(10);
/// What a worker may have, in bytes.
const MEMORY: u64 = 512 * 1024 * 1024;

#[tokio::test]
async fn hostile_files_harm_nothing_and_each_says_what_is_wrong_with_it() {
    let left = workers::left_open();
    let files = tempfile::tempdir().unwrap();
    let corpus = Corpus::write(files.path());
    assert!(corpus.files >= 300, "{} files", corpus.files);

    let place = Place::sqlite();
    let token = place.owner_token().await;
    let resource = place.add_folder("hostile", files.path()).await;
    let server = place.serve().await;
    let client = server.client(&token);
    let watch = Watch::of_children(server.pid());
    client.call("sync_resource", json!({ "resource_id": resource })).await;
    let run = tokio::time::timeout(PATIENCE, ended(&client)).await.expect("the sync comes to its end");
    let seen = watch.end().await;
    assert_eq!((&run["status"], &run["error"]), (&json!("done"), &Value::Null), "{run}");

    assert!(!seen.is_empty(), "workers were seen at work");
    for worker in &seen {
        assert_eq!(worker.limits["Max address space"], MEMORY.to_string());
        assert_eq!(worker.limits["Max file size"], "0");
        assert_eq!(worker.limits["Max core file size"], "0");
        assert_eq!(worker.limits["Max open files"], "4");
        assert_eq!(worker.limits["Max cpu time"], "2200");
        assert!(worker.peak <= MEMORY, "{} bytes", worker.peak);
        // What the test itself was left by whoever started it is not the worker's doing.
        assert!(worker.files.iter().all(|file| *file <= 3 || left.contains(file)), "{:?}", worker.files);
        assert_eq!(worker.no_new_privileges.as_deref(), Some("1"));
    }

    let steps = steps(&client).await;
    assert_eq!(steps.len(), corpus.files, "every file is catalogued");
    for (key, (status, error)) in &steps {
        assert!(["done", "failed", "skipped"].contains(&status.as_str()), "{key}: {status}");
        assert!(status != "failed" || error.as_ref().is_some_and(|error| !error.is_empty()), "{key}");
    }
    for key in &corpus.must_fail {
        let (status, error) = &steps[key];
        assert_eq!(status, "failed", "{key}: {error:?}");
    }
    for (key, phrase) in &corpus.healthy {
        assert_eq!(steps[key], ("done".to_owned(), None), "{key}");
        let found =
            client.call("search_things", json!({ "query": format!("\"{phrase}\""), "limit": 50 })).await;
        let keys = keys(&found);
        assert!(keys.contains(key), "{phrase:?} finds {key}, not only {keys:?}");
    }
    assert!(server.stop().await.success());
}

/// The one run there is, when it is over.
async fn ended(client: &Client) -> Value {
    loop {
        let runs = client.call("list_runs", json!({})).await;
        let run = runs["runs"][0].clone();
        if run["status"] != "queued" && run["status"] != "running" {
            return run;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The keys of what a search found.
fn keys(found: &Value) -> Vec<String> {
    let things = found["things"].as_array().unwrap().iter();
    let references = things.flat_map(|thing| thing["references"].as_array().unwrap());
    references.map(|reference| reference["key"].as_str().unwrap().to_owned()).collect()
}

/// How the text step of every file went, by its key.
async fn steps(client: &Client) -> BTreeMap<String, (String, Option<String>)> {
    let (mut steps, mut cursor) = (BTreeMap::new(), Value::Null);
    loop {
        let mut arguments = json!({ "limit": 50 });
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let page = client.call("search_things", arguments).await;
        for thing in page["things"].as_array().unwrap_or_else(|| panic!("{page}")) {
            let detail = client.call("get_thing", json!({ "id": thing["id"] })).await;
            for reference in detail["references"].as_array().unwrap_or_else(|| panic!("{thing}: {detail}")) {
                let key = reference["key"].as_str().unwrap().to_owned();
                steps.insert(key, text_step(&reference["analysis"]));
            }
        }
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            return steps;
        }
    }
}

fn text_step(analysis: &Value) -> (String, Option<String>) {
    let step = analysis.as_array().unwrap().iter().find(|step| step["step"] == "text").unwrap();
    (step["status"].as_str().unwrap().to_owned(), step["error"].as_str().map(str::to_owned))
}
