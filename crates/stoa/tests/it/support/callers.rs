//! Who calls: nobody known, or the bearer of a token.

use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::ConnectInfo;
use http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;
use url::form_urlencoded::Serializer;

/// A caller without a token.
#[derive(Clone)]
pub struct Anonymous {
    router: Router,
    headers: Vec<(&'static str, String)>,
    /// The other end of the connection, where one is pretended.
    peer: Option<SocketAddr>,
}

/// The bearer of a token.
#[derive(Clone)]
pub struct Bearer {
    caller: Anonymous,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    /// The body, byte by byte.
    pub raw: Bytes,
}

impl Answer {
    /// The tool's structured answer or error.
    pub fn structured(&self) -> Value {
        self.body["result"]["structuredContent"].clone()
    }

    /// The code of a tool error.
    pub fn error(&self) -> String {
        self.structured()["error"].as_str().unwrap_or_default().to_owned()
    }
}

impl Anonymous {
    pub fn new(router: Router) -> Self {
        Self { router, headers: vec![("host", "localhost:8787".to_owned())], peer: None }
    }

    /// The same caller with a token, good or bad.
    pub fn with_token(&self, token: &str) -> Bearer {
        Bearer { caller: self.with("authorization", &format!("Bearer {token}")) }
    }

    /// The same caller with one header set otherwise.
    pub fn with(&self, name: &'static str, value: &str) -> Self {
        let mut headers = self.headers.clone();
        headers.retain(|(header, _)| *header != name);
        headers.push((name, value.to_owned()));
        Self { headers, ..self.clone() }
    }

    /// The same caller at the other end of a connection from this address.
    pub fn at(&self, address: &str) -> Self {
        Self { peer: Some(SocketAddr::new(address.parse().unwrap(), 4711)), ..self.clone() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, Body::empty()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let json = self.with("content-type", "application/json");
        json.send(Method::POST, path, Body::from(body.to_string())).await
    }

    pub async fn send(&self, method: Method, path: &str, body: Body) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let mut request = request.body(body).unwrap();
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Answer { status: parts.status, headers: parts.headers, body, raw: bytes }
    }

    /// Calls a tool at the mount things.
    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.call_at("/things/mcp", tool, arguments).await
    }

    /// Calls a tool at a path, in the era of the handshake.
    pub async fn call_at(&self, path: &str, tool: &str, arguments: Value) -> Answer {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        });
        self.post(path, &body).await
    }
}

/// Pairs as a form, or a query.
pub fn form<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Sends a form.
pub async fn post(caller: &Anonymous, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let caller = caller.with("content-type", "application/x-www-form-urlencoded");
    caller.send(Method::POST, path, Body::from(form(pairs.iter().copied()))).await
}

impl Bearer {
    /// The caller, to be varied.
    pub fn caller(&self) -> &Anonymous {
        &self.caller
    }

    /// Calls a tool at the mount things.
    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.caller.call(tool, arguments).await
    }

    /// The names of the tools that the token opens at a path.
    pub async fn tools_at(&self, path: &str) -> Vec<String> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let answer = self.caller.post(path, &body).await;
        let tools = answer.body["result"]["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The HTTP status of a harmless request.
    pub async fn status_at(&self, path: &str) -> u16 {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        self.caller.post(path, &body).await.status.as_u16()
    }
}
