//! Tasks: only for who declared them, looked up anew at each request.

use std::time::Duration;

use serde_json::{Value, json};

use crate::beyond::{Rooms, TASK, result};

fn declared() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

const METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

#[tokio::test]
async fn a_task_is_for_who_declared_the_extension_with_this_request() {
    let rooms = Rooms::new().await;
    let call = json!({ "name": "work", "arguments": {} });
    let task = result(&rooms.modern("tools/call", call.clone(), &declared()).send().await);
    assert_eq!(
        (&task["resultType"], &task["taskId"], &task["status"]),
        (&json!("task"), &json!(TASK), &json!("working"))
    );
    assert_eq!((&task["ttlMs"], &task["pollIntervalMs"]), (&Value::Null, &json!(1_000)));
    for asking in [rooms.modern("tools/call", call.clone(), &json!({})), rooms.legacy("tools/call", call)] {
        assert_eq!(result(&asking.send().await)["structuredContent"], json!({ "run": 1 }));
    }
    for method in METHODS {
        let refused = rooms.modern(method, json!({ "taskId": TASK }), &json!({})).send().await;
        assert_eq!((refused.status.as_u16(), refused.code()), (400, -32021), "{method}");
    }
}

#[tokio::test]
async fn a_task_is_followed_and_the_unknown_is_not_found() {
    let rooms = Rooms::new().await;
    for method in METHODS {
        // Each method by itself keeps within the limit of a minute.
        rooms.stand.clock.advance(Duration::from_mins(1));
        let found = result(&rooms.modern(method, json!({ "taskId": TASK }), &declared()).send().await);
        assert_eq!(found["resultType"], "complete");
        assert_eq!(found.get("taskId").is_some(), method == "tasks/get", "{method}");
        for unknown in ["rooms/2", "things/1", "1", ""] {
            let missing = rooms.modern(method, json!({ "taskId": unknown }), &declared()).send().await;
            assert_eq!(
                (missing.code(), &missing.json()["error"]["message"]),
                (-32602, &json!("Task not found")),
                "{method}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_refused_before_a_task_is_looked_for_is_audited_too() {
    let rooms = Rooms::new().await;
    for method in METHODS {
        let refused = rooms.modern(method, json!({ "taskId": TASK }), &json!({})).send().await;
        assert_eq!(refused.code(), -32021, "{method}");
        let refused = rooms.modern(method, json!({ "taskId": 7 }), &declared()).send().await;
        assert_eq!(refused.code(), -32602, "{method}");
    }
    let entries = rooms.stand.entries().await;
    let expected = METHODS.into_iter().flat_map(|method| {
        let entry = |code: &str, task| {
            (method.to_owned(), "error".to_owned(), Some(code.to_owned()), json!({ "task_id": task }))
        };
        [entry("MissingClientCapability", json!(TASK)), entry("InvalidParams", Value::Null)]
    });
    assert_eq!(entries, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn each_method_needs_a_token_and_is_audited() {
    let rooms = Rooms::new().await;
    for method in METHODS {
        let asking = || rooms.modern(method, json!({ "taskId": TASK }), &declared());
        assert_eq!(asking().without("authorization").send().await.status, 401, "{method}");
        assert_eq!(asking().bearer(&rooms.stand.token).send().await.status, 401, "{method}");
        asking().send().await;
    }
    let entries = rooms.stand.entries().await;
    let noted: Vec<_> =
        entries.iter().map(|(tool, status, _, kept)| (&**tool, &**status, kept.clone())).collect();
    assert_eq!(noted, METHODS.map(|method| (method, "ok", json!({ "task_id": TASK }))));
}
