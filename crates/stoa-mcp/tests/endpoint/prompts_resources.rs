//! Prompts, resources and completion: listed, given, refused, audited.

use serde_json::{Value, json};

use crate::beyond::{ROOM, Rooms, result};

/// What is asked of each method that names something, and which key names it.
fn methods() -> [(&'static str, Value); 4] {
    let completion = json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": { "name": "who", "value": "A" } });
    [
        ("prompts/get", json!({ "name": "greet", "arguments": { "who": "Ann" } })),
        ("resources/read", json!({ "uri": ROOM })),
        ("resources/list", json!({})),
        ("completion/complete", completion),
    ]
}

#[tokio::test]
async fn capabilities_are_what_the_services_of_the_mount_have() {
    let rooms = Rooms::new().await;
    let modern = rooms.result("server/discover", json!({})).await;
    let expected = json!({
        "tools": {}, "prompts": {}, "resources": { "subscribe": true }, "completions": {},
        "extensions": { "io.modelcontextprotocol/tasks": {} },
    });
    assert_eq!(modern["capabilities"], expected);
    let legacy = rooms.legacy("initialize", json!({ "protocolVersion": "2025-11-25" })).send().await;
    let expected = json!({ "tools": {}, "prompts": {}, "resources": {}, "completions": {} });
    assert_eq!(result(&legacy)["capabilities"], expected);
    for (method, params) in methods() {
        let elsewhere =
            rooms.modern(method, params, &json!({})).path("/things/mcp").bearer(&rooms.stand.token);
        assert_eq!(elsewhere.send().await.status, 404, "{method}");
    }
    for method in ["logging/setLevel", "resources/subscribe", "subscriptions/listen", "tasks/get"] {
        assert_eq!(rooms.legacy(method, json!({ "uri": ROOM })).send().await.code(), -32601, "{method}");
    }
}

#[tokio::test]
async fn a_prompt_is_listed_and_given_in_either_era() {
    let rooms = Rooms::new().await;
    let listed = rooms.result("prompts/list", json!({})).await;
    assert_eq!((&listed["cacheScope"], listed["ttlMs"].is_u64()), (&json!("private"), true));
    assert_eq!(
        listed["prompts"][0]["arguments"][0],
        json!({ "name": "who", "description": "Whom.", "required": true })
    );
    let params = json!({ "name": "greet", "arguments": { "who": "Ann" } });
    let message = json!({ "role": "user", "content": { "type": "text", "text": "Hello, Ann!" } });
    for asking in
        [rooms.modern("prompts/get", params.clone(), &json!({})), rooms.legacy("prompts/get", params)]
    {
        assert_eq!(result(&asking.send().await)["messages"], json!([message]));
    }
}

#[tokio::test]
async fn bad_arguments_of_a_prompt_are_named() {
    let rooms = Rooms::new().await;
    for (arguments, named) in [
        (json!({}), "`who` is missing"),
        (json!({ "who": "much too long" }), "`who` must be"),
        (json!({ "who": "Ann", "x": "" }), "there is no `x`"),
    ] {
        let params = json!({ "name": "greet", "arguments": arguments });
        let refused = rooms.modern("prompts/get", params, &json!({})).send().await;
        assert_eq!(refused.code(), -32602);
        assert!(refused.text.contains(named), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_resource_is_read_and_what_is_not_there_is_said_so_as_the_era_does() {
    let rooms = Rooms::new().await;
    let read = rooms.result("resources/read", json!({ "uri": ROOM })).await;
    let contents = json!([{ "uri": ROOM, "mimeType": "text/plain", "text": "Nothing was said." }]);
    assert_eq!(
        (&read["contents"], &read["ttlMs"], &read["cacheScope"]),
        (&contents, &json!(1_000), &json!("private"))
    );
    for uri in ["stoa:rooms/room/2", "stoa:elsewhere/x"] {
        let missing = rooms.modern("resources/read", json!({ "uri": uri }), &json!({})).send().await;
        assert_eq!((missing.code(), &missing.json()["error"]["data"]["uri"]), (-32602, &json!(uri)));
        assert_eq!(rooms.legacy("resources/read", json!({ "uri": uri })).send().await.code(), -32002);
    }
}

#[tokio::test]
async fn pages_of_resources_go_on_by_sealed_cursors_of_the_same_installation() {
    let rooms = Rooms::new().await;
    let first = rooms.result("resources/list", json!({})).await;
    assert_eq!(first["resources"][0]["name"], "first");
    let cursor = first["nextCursor"].clone();
    let second = rooms.result("resources/list", json!({ "cursor": cursor })).await;
    assert_eq!((&second["resources"][0]["name"], second.get("nextCursor")), (&json!("page 2"), None));
    let other = rooms.stand.token_for("rooms", "things:read").await;
    let foreign = rooms.modern("resources/list", json!({ "cursor": cursor }), &json!({})).bearer(&other);
    assert_eq!(foreign.send().await.code(), -32602);
    for list in ["resources/list", "prompts/list", "resources/templates/list"] {
        for bad in [json!("nonsense"), json!(""), json!(7)] {
            assert_eq!(
                rooms.modern(list, json!({ "cursor": bad }), &json!({})).send().await.code(),
                -32602,
                "{list}"
            );
        }
    }
}

#[tokio::test]
async fn completion_helps_with_known_arguments_only() {
    let rooms = Rooms::new().await;
    let asked = |prompt: &str, argument: &str| json!({ "ref": { "type": "ref/prompt", "name": prompt }, "argument": { "name": argument, "value": "A" } });
    let completed = rooms.result("completion/complete", asked("greet", "who")).await;
    assert_eq!(completed["completion"], json!({ "values": ["who=A!"], "hasMore": false }));
    for nothing in [asked("greet", "x"), asked("greet_all", "who"), asked("x", "who"), json!({})] {
        assert_eq!(rooms.modern("completion/complete", nothing, &json!({})).send().await.code(), -32602);
    }
}

#[tokio::test]
async fn outside_the_grant_prompts_and_resources_do_not_exist_and_denials_are_audited() {
    let rooms = Rooms::new().await;
    let reader = rooms.stand.token_for("rooms", "things:read").await;
    let writer = rooms.stand.token_for("rooms", "things:write").await;
    let at =
        |token: &str, method: &str, params: Value| rooms.modern(method, params, &json!({})).bearer(token);
    let listed = result(&at(&reader, "prompts/list", json!({})).send().await);
    assert_eq!(listed["prompts"].as_array().unwrap().len(), 1);
    let params = |name: &str| json!({ "name": name, "arguments": { "who": "Ann" } });
    let hidden = at(&reader, "prompts/get", params("greet_all")).send().await;
    let unknown = at(&reader, "prompts/get", params("nothing_")).send().await;
    assert_eq!(hidden.text.replace("greet_all", "nothing_"), unknown.text);
    let hidden = at(&writer, "resources/read", json!({ "uri": ROOM })).send().await;
    assert_eq!(hidden.code(), -32602);
    for list in ["resources/list", "resources/templates/list"] {
        let listed = result(&at(&writer, list, json!({})).send().await);
        let key = if list == "resources/list" { "resources" } else { "resourceTemplates" };
        assert_eq!(listed[key], json!([]));
    }
    let denied: Vec<_> =
        rooms.stand.entries().await.into_iter().map(|(tool, status, code, _)| (tool, status, code)).collect();
    let entry = |tool: &str, code: &str| (tool.to_owned(), "denied".to_owned(), Some(code.to_owned()));
    let expected = [
        entry("prompts/get", "Grant::Denied"),
        entry("prompts/get", "PromptNotFound"),
        entry("resources/read", "Grant::Denied"),
    ];
    assert_eq!(denied, expected);
}

#[tokio::test]
async fn each_of_them_is_audited_as_it_is_marked() {
    let rooms = Rooms::new().await;
    let arguments = json!({ "who": "Ann", "secret": "hunter2" });
    rooms.result("prompts/get", json!({ "name": "greet", "arguments": arguments })).await;
    rooms.result("resources/read", json!({ "uri": ROOM })).await;
    rooms.result("resources/list", json!({})).await;
    let entries = rooms.stand.entries().await;
    let kept: Vec<_> =
        entries.iter().map(|(tool, status, _, kept)| (&**tool, &**status, kept.clone())).collect();
    let prompt = json!({ "name": "greet", "arguments": { "who": "Ann", "secret": { "never": true } } });
    let expected = [
        ("prompts/get", "ok", prompt),
        ("resources/read", "ok", json!({ "uri": ROOM })),
        ("resources/list", "ok", json!({})),
    ];
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn each_of_them_needs_a_token_of_the_mount_and_counts_against_the_limit() {
    let rooms = Rooms::new().await;
    for (method, params) in methods() {
        let asking = || rooms.modern(method, params.clone(), &json!({}));
        assert_eq!(asking().without("authorization").send().await.status, 401, "{method}");
        assert_eq!(asking().bearer(&rooms.stand.token).send().await.status, 401, "{method}");
        let token = rooms.stand.token_for("rooms", "things:read").await;
        for _ in 0..crate::fixture::LIMIT {
            assert!(asking().bearer(&token).send().await.json().get("error").is_none(), "{method}");
        }
        let over = asking().bearer(&token).send().await;
        assert_eq!(
            (over.code(), &over.json()["error"]["data"]["error"]),
            (-31000, &json!("OverBudget")),
            "{method}"
        );
    }
}
