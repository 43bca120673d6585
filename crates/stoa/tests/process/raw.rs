//! Requests byte by byte, as no honest client writes them.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long an answer may take: over the patience of the server with a body.
const PATIENCE: Duration = Duration::from_secs(45);

/// What came back.
#[derive(Debug)]
pub struct Answered {
    /// The status; 0 where the server closed without a word.
    pub status: u16,
    /// The lines of the head.
    pub head: String,
    /// The body as it came.
    pub body: String,
}

impl Answered {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// What a client can act on: the JSON-RPC code, the error word, or the tool's error.
    pub fn code(&self) -> String {
        let json = self.json();
        let places = ["/error/code", "/error", "/result/structuredContent/error"];
        let found = places.iter().find_map(|place| json.pointer(place));
        found.map_or_else(|| "none".to_owned(), |code| code.to_string().trim_matches('"').to_owned())
    }
}

/// The head of a POST to the endpoint of things, with these lines more, up to its last line.
pub fn head(port: u16, lines: &[&str]) -> String {
    let mut head = format!("POST /things/mcp HTTP/1.1\r\nHost: localhost:{port}\r\n");
    for line in lines {
        head += line;
        head += "\r\n";
    }
    head
}

/// The head of an honest request with a token and a body of that length, whole.
pub fn honest_head(port: u16, token: &str, length: usize) -> String {
    let authorization = format!("Authorization: Bearer {token}");
    let length = format!("Content-Length: {length}");
    let lines = [
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        &authorization,
        &length,
    ];
    head(port, &lines) + "\r\n"
}

/// Sends bytes and reads what comes until the server closes or has answered whole.
pub async fn exchange(port: u16, bytes: &[u8]) -> Answered {
    let mut stream = connect(port).await;
    // A server that refuses the head may close before it read the body: then the answer counts.
    let _sent = stream.write_all(bytes).await;
    answer(&mut stream).await
}

/// A connection to the server.
pub async fn connect(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).await.unwrap()
}

/// Reads one answer.
pub async fn answer(stream: &mut TcpStream) -> Answered {
    let mut read = Vec::new();
    tokio::time::timeout(PATIENCE, async {
        while !is_whole(&read) && stream.read_buf(&mut read).await.is_ok_and(|count| count > 0) {}
    })
    .await
    .expect("the server answers or closes");
    let text = String::from_utf8_lossy(&read);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Answered { status, head: head.to_owned(), body: body.to_owned() }
}

fn is_whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(read);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
    });
    length.is_some_and(|length| body.len() >= length)
}
