//! Bodies that are no request, or ask for what can't be.

use crate::bad_input::Target;
use crate::raw::{answer, connect, honest_head};
use tokio::io::AsyncWriteExt;

/// A call of `search_things` with these arguments as they are written.
fn search(arguments: &str) -> Vec<u8> {
    call("search_things", arguments)
}

fn call(tool: &str, arguments: &str) -> Vec<u8> {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    request("1", "tools/call", &params)
}

fn request(id: &str, method: &str, params: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#).into_bytes()
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + &close.repeat(depth)
}

/// What is sent, what it is, and what must come back.
type Case = (&'static str, Vec<u8>, u16, &'static str);

async fn each_is_answered(cases: impl Fn() -> Vec<Case>) {
    for target in Target::both().await {
        for (kind, body, status, code) in cases() {
            let answered = target.body(&body).await;
            assert_eq!((answered.status, &*answered.code()), (status, code), "{kind}: {answered:?}");
        }
        target.ends_unharmed().await;
    }
}

#[tokio::test]
async fn what_is_no_json_is_a_parse_error() {
    each_is_answered(|| {
        let whole = search("{}");
        let mut latin = search(r#"{"query":"x"}"#);
        let x = latin.iter().rposition(|byte| *byte == b'x').unwrap();
        latin[x] = 0xff;
        vec![
            ("empty", vec![], 400, "-32700"),
            ("malformed", br#"{"jsonrpc":"2.0",,}"#.to_vec(), 400, "-32700"),
            ("truncated", whole[..whole.len() - 7].to_vec(), 400, "-32700"),
            ("two messages", [&*whole, &*whole].concat(), 400, "-32700"),
            ("invalid UTF-8", latin, 400, "-32700"),
            ("UTF-16", whole.iter().flat_map(|byte| [*byte, 0]).collect(), 400, "-32700"),
            ("raw NUL in a string", search("{\"query\":\"a\0b\"}"), 400, "-32700"),
        ]
    })
    .await;
}

#[tokio::test]
async fn json_that_is_no_request_is_an_invalid_request() {
    each_is_answered(|| {
        let deep =
            |open, close| format!(r#"{{"jsonrpc":"2.0","id":1,"method":{}}}"#, nested(open, close, 100_000));
        vec![
            ("100,000 arrays", deep("[", "]").into_bytes(), 400, "-32600"),
            ("100,000 objects", deep("{\"a\":", "}").into_bytes(), 400, "-32600"),
            ("100,000 brackets that never close", "[".repeat(100_000).into_bytes(), 400, "-32600"),
            ("batch", [b"[", &*search("{}"), b"]"].concat(), 400, "-32600"),
            ("empty batch", b"[]".to_vec(), 400, "-32600"),
            ("string", b"\"tools/list\"".to_vec(), 400, "-32600"),
            ("null", b"null".to_vec(), 400, "-32600"),
            (
                "duplicate key",
                br#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#.to_vec(),
                400,
                "-32600",
            ),
            ("duplicate id", br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#.to_vec(), 400, "-32600"),
            ("id null", request("null", "ping", "{}"), 400, "-32600"),
            ("id float", request("1.5", "ping", "{}"), 400, "-32600"),
            ("id exponent", request("1e3", "ping", "{}"), 400, "-32600"),
            ("id object", request("{}", "ping", "{}"), 400, "-32600"),
            ("method number", br#"{"jsonrpc":"2.0","id":1,"method":7}"#.to_vec(), 400, "-32600"),
            ("version 1.0", br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_vec(), 400, "-32600"),
            ("no method", br#"{"jsonrpc":"2.0","id":1}"#.to_vec(), 400, "-32600"),
            ("lone surrogate in the method", request("1", "\\ud800", "{}"), 400, "-32600"),
        ]
    })
    .await;
}

#[tokio::test]
async fn params_of_the_wrong_shape_are_invalid_params() {
    each_is_answered(|| {
        let long = "x".repeat(3_000_000);
        vec![
            ("params array", request("1", "tools/call", "[]"), 400, "-32602"),
            ("params text", request("1", "tools/call", "\"x\""), 400, "-32602"),
            ("name number", request("1", "tools/call", r#"{"name":5}"#), 400, "-32602"),
            ("arguments array", call("search_things", "[]"), 400, "-32602"),
            ("arguments text", call("search_things", "\"query\""), 400, "-32602"),
            ("duplicate argument", search(r#"{"limit":1,"limit":2}"#), 400, "-32602"),
            ("lone surrogate in an argument", search(r#"{"query":"\ud800"}"#), 400, "-32602"),
            ("infinite number", search(r#"{"limit":1e999}"#), 400, "-32602"),
            ("unknown method", request("1", "tools/fly", "{}"), 200, "-32601"),
            ("unknown tool", call("fly", "{}"), 200, "-32602"),
            ("NUL in the tool's name", call("search\\u0000things", "{}"), 200, "-32602"),
            ("a tool's name of 3 MB", call(&long, "{}"), 200, "-32602"),
            ("a method of 3 MB", request("1", &long, "{}"), 200, "-32601"),
        ]
    })
    .await;
}

#[tokio::test]
async fn arguments_that_can_not_be_are_an_argument_error() {
    each_is_answered(|| {
        let long = format!(r#"{{"query":"{}"}}"#, "x".repeat(3_000_000));
        let many =
            format!("{{{}}}", (0..20_000).map(|i| format!("\"a{i}\":1")).collect::<Vec<_>>().join(","));
        [
            ("unknown argument", r#"{"fly":true}"#),
            ("20,000 unknown arguments", &many),
            ("number for text", r#"{"query":5}"#),
            ("text for integer", r#"{"limit":"5"}"#),
            ("float for integer", r#"{"limit":1.5}"#),
            ("integer out of range", r#"{"limit":201}"#),
            ("integer over 64 bit", r#"{"limit":99999999999999999999999}"#),
            ("negative", r#"{"limit":-1}"#),
            ("array for text", r#"{"query":["a"]}"#),
            ("text of 3 MB", &long),
            ("no id", r#"{"resource_id":"../../etc/passwd"}"#),
            ("a cursor that was never given", r#"{"cursor":"AAAA"}"#),
            ("a day that is none", r#"{"since":"2026-02-30"}"#),
            ("a kind that is none", r#"{"kind":"novel"}"#),
        ]
        .into_iter()
        .map(|(kind, arguments)| (kind, search(arguments), 200, "ArgumentError"))
        .collect()
    })
    .await;
}

#[tokio::test]
async fn odd_but_honest_requests_are_answered() {
    each_is_answered(|| {
        let deep_string = format!(r#"{{"query":"{} word"}}"#, "[{".repeat(300));
        [
            ("NUL in a query", search(r#"{"query":"a\u0000b"}"#)),
            ("a whole float", search(r#"{"limit":5.0}"#)),
            ("null for left out", search(r#"{"limit":null,"query":null}"#)),
            ("a quote that never closes", search(r#"{"query":"\"open"}"#)),
            ("brackets in a string", search(&deep_string)),
            ("right-to-left and zero-width", search("{\"query\":\"\u{202e}evil\u{200b}\u{feff}\"}")),
            ("unknown fields of a message", br#"{"jsonrpc":"2.0","id":1,"method":"ping","x":{"y":[1]}}"#.to_vec()),
            ("surrogate pair", search(r#"{"query":"\ud83d\ude00 word"}"#)),
            ("injection", search(r#"{"query":"x' OR 1=1; DROP TABLE thing; --"}"#)),
            ("NUL in the client's name", request(
                "1",
                "tools/list",
                r#"{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"a\u0000\u001b[31m\r\nb","version":"1"}}}"#,
            )),
        ]
        .into_iter()
        .map(|(kind, body)| (kind, body, 200, "none"))
        .collect()
    })
    .await;
}

#[tokio::test]
async fn a_body_of_20_mb_is_refused_and_is_not_kept() {
    for target in Target::both().await {
        let before = target.server.memory();
        let body = vec![b' '; 20 * 1024 * 1024];
        for _ in 0..20 {
            let answered = target.body(&body).await;
            // Where the server closes while the client still writes, the answer may be lost on the way.
            assert!([413, 0].contains(&answered.status), "{answered:?}");
        }
        let grown = target.server.memory().saturating_sub(before);
        assert!(grown < 32 * 1024 * 1024, "{grown} bytes more");
        target.ends_unharmed().await;
    }
}

#[tokio::test]
async fn a_body_that_stops_half_way_is_waited_for_and_then_refused() {
    let [target, _] = Target::both().await;
    let port = target.server.port;
    let body = search("{}");
    let head = honest_head(port, &target.token, body.len());

    let mut dribbling = connect(port).await;
    dribbling.write_all(head.as_bytes()).await.unwrap();
    for byte in &body {
        dribbling.write_all(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert_eq!(answer(&mut dribbling).await.status, 200, "slow, but whole");

    let mut stalled = connect(port).await;
    stalled.write_all(head.as_bytes()).await.unwrap();
    stalled.write_all(&body[..10]).await.unwrap();
    let answered = answer(&mut stalled).await;
    assert_eq!((answered.status, &*answered.code()), (408, "incomplete"));
    target.ends_unharmed().await;
}
