//! Asking back: only what the client can be asked, and only its own state is taken.

use std::time::Duration;

use serde_json::{Value, json};

use crate::beyond::{Rooms, result};

fn forms() -> Value {
    json!({ "elicitation": {} })
}

fn call(about: &str) -> Value {
    json!({ "name": "ask", "arguments": { "about": about } })
}

/// The same call with what the client's person answered.
fn answered(about: &str, state: &Value) -> Value {
    let mut params = call(about);
    params["inputResponses"] =
        json!({ "name": { "action": "accept", "content": { "name": "Ann" } }, "x": {} });
    params["requestState"] = state.clone();
    params
}

#[tokio::test]
async fn a_tool_asks_and_goes_on_with_the_answer_and_what_it_remembered() {
    let rooms = Rooms::new().await;
    let first = result(&rooms.modern("tools/call", call("cats"), &forms()).send().await);
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(first["inputRequests"]["name"]["method"], "elicitation/create");
    assert!(first.get("content").is_none());
    let second = rooms.modern("tools/call", answered("cats", &first["requestState"]), &forms()).send().await;
    let second = result(&second);
    assert_eq!(second["resultType"], "complete");
    assert_eq!(second["structuredContent"], json!({ "name": "Ann", "state": "cats" }));
}

#[tokio::test]
async fn a_state_that_is_changed_or_of_another_request_or_caller_is_refused_and_audited() {
    let rooms = Rooms::new().await;
    let state =
        result(&rooms.modern("tools/call", call("cats"), &forms()).send().await)["requestState"].clone();
    let other = rooms.stand.token_for("rooms", "things:read").await;
    let changed = json!(format!("{}-TAMPERED", state.as_str().unwrap()));
    for asking in [
        rooms.modern("tools/call", answered("cats", &changed), &forms()),
        rooms.modern("tools/call", answered("cats", &json!(7)), &forms()),
        rooms.modern("tools/call", answered("dogs", &state), &forms()),
        rooms.modern("tools/call", answered("cats", &state), &forms()).bearer(&other),
    ] {
        assert_eq!(asking.send().await.code(), -32602);
    }
    rooms.stand.clock.advance(Duration::from_mins(10));
    let late = rooms.modern("tools/call", answered("cats", &state), &forms()).send().await;
    assert_eq!(late.code(), -32602);
    let entries = rooms.stand.entries().await;
    let refused = entries.iter().filter(|(_, status, code, _)| {
        status == "denied" && code.as_deref() == Some("RequestState::Foreign")
    });
    assert_eq!(refused.count(), 5);
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_what_it_lacks() {
    let rooms = Rooms::new().await;
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } }), json!({ "sampling": {} })] {
        let refused = rooms.modern("tools/call", call("cats"), &capabilities).send().await;
        assert_eq!((refused.status.as_u16(), refused.code()), (400, -32021));
        assert_eq!(
            refused.json()["error"]["data"]["requiredCapabilities"],
            json!({ "elicitation": { "form": {} } })
        );
    }
    let legacy = result(&rooms.legacy("tools/call", call("cats")).send().await);
    assert_eq!(
        (&legacy["isError"], &legacy["structuredContent"]["error"]),
        (&json!(true), &json!("MissingClientCapability"))
    );
    // The limit of a minute is spent.
    rooms.stand.clock.advance(Duration::from_mins(1));
    let prompt = json!({ "name": "greet", "arguments": { "who": "nobody" } });
    assert_eq!(rooms.modern("prompts/get", prompt.clone(), &json!({})).send().await.code(), -32021);
    assert_eq!(rooms.legacy("prompts/get", prompt.clone()).send().await.code(), -31000);
    let asked = result(&rooms.modern("prompts/get", prompt, &forms()).send().await);
    assert_eq!(asked["resultType"], "input_required");
}

#[tokio::test]
async fn more_than_can_be_remembered_is_a_fault_and_not_asked_for_ever() {
    let rooms = Rooms::new().await;
    let refused = rooms.modern("tools/call", call(&"x".repeat(3_500)), &forms()).send().await;
    assert_eq!(refused.code(), -32603, "{}", refused.text);
    let entries = rooms.stand.entries().await;
    assert_eq!((&*entries[0].1, entries[0].2.as_deref()), ("error", Some("internal")));
}
