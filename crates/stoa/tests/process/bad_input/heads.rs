//! Heads that smuggle, repeat or overflow.

use crate::bad_input::Target;
use crate::raw::{exchange, head};

const BODY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// Headers beside the honest ones; what must come back, where 0 is a connection closed without a word.
async fn each_is_answered(cases: &[(&str, &[&str], &[u16])]) {
    let [target, _] = Target::both().await;
    let authorization = format!("Authorization: Bearer {}", target.token);
    let length = format!("Content-Length: {}", BODY.len());
    let json = "Content-Type: application/json";
    for (kind, more, statuses) in cases {
        let honest = [json, authorization.as_str(), length.as_str()];
        // What a case says itself is not said honestly too, unless saying it twice is the case.
        let lines: Vec<_> = honest.into_iter().chain(more.iter().copied()).collect();
        let request = head(target.server.port, &lines) + "\r\n" + BODY;
        let answered = exchange(target.server.port, request.as_bytes()).await;
        assert!(statuses.contains(&answered.status), "{kind}: {answered:?}");
        assert!(!answered.head.to_ascii_lowercase().contains("injected"), "{kind}: {answered:?}");
    }
    target.ends_unharmed().await;
}

#[tokio::test]
async fn what_may_come_once_may_not_come_twice() {
    let twice: &[(&str, &[&str], &[u16])] = &[
        ("Content-Type", &["Content-Type: application/json"], &[400]),
        ("Authorization", &["Authorization: Bearer other"], &[400]),
        ("Host", &["Host: localhost"], &[400]),
        ("Origin", &["Origin: http://localhost", "Origin: http://evil.example.com"], &[400]),
        (
            "MCP-Protocol-Version",
            &["MCP-Protocol-Version: 2025-11-25", "MCP-Protocol-Version: 2025-06-18"],
            &[400],
        ),
        ("Content-Length, another", &["Content-Length: 5"], &[400]),
    ];
    each_is_answered(twice).await;
}

#[tokio::test]
async fn a_header_can_not_be_broken_out_of() {
    let cases: &[(&str, &[&str], &[u16])] = &[
        ("bare CR", &["Mcp-Name: a\rInjected: 1"], &[400]),
        ("NUL", &["Mcp-Name: a\0b"], &[400]),
        ("folded line", &["Mcp-Name: a", " b"], &[400]),
        ("blank before the colon", &["Mcp-Name : a"], &[400]),
        ("no colon", &["Injected"], &[400]),
        ("Transfer-Encoding beside Content-Length", &["Transfer-Encoding: chunked"], &[400, 408]),
        ("unknown Transfer-Encoding", &["Transfer-Encoding: gzip, identity"], &[400]),
        ("escaped line break in the trace", &["traceparent: 00-%0d%0aInjected: 1"], &[200]),
    ];
    each_is_answered(cases).await;
}

#[tokio::test]
async fn heads_are_bounded() {
    let long = format!("X-Long: {}", "x".repeat(2_000_000));
    let many = (0..2_000).map(|i| format!("X-{i}: 1")).collect::<Vec<_>>();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    // The server closes while the client still writes: the answer may be lost on the way.
    each_is_answered(&[("2 MB", &[&long], &[431, 0]), ("2,000 headers", &many, &[431, 0])]).await;
}
