//! Requests of both eras, as their clients send them.

use serde_json::{Value, json};

/// A revision of MCP, and with it how requests look.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25: after a handshake.
    Legacy,
    /// 2026-07-28: each request stands for itself.
    Modern,
}

impl Era {
    pub const ALL: [Self; 2] = [Self::Legacy, Self::Modern];

    pub const fn version(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }
}

/// What is asked of the endpoint.
#[derive(Clone)]
pub struct Asked {
    pub method: &'static str,
    pub params: Value,
}

impl Asked {
    pub fn call(tool: &str, arguments: &Value) -> Self {
        Self { method: "tools/call", params: json!({ "name": tool, "arguments": arguments }) }
    }

    pub fn list() -> Self {
        Self { method: "tools/list", params: json!({}) }
    }

    /// The whole HTTP request to `/things/mcp` of a server at this port.
    pub fn request(&self, era: Era, port: u16, token: &str) -> Vec<u8> {
        self.request_at("/things/mcp", era, port, token)
    }

    /// The same, to another path.
    pub fn request_at(&self, path: &str, era: Era, port: u16, token: &str) -> Vec<u8> {
        let mut body = json!({ "jsonrpc": "2.0", "id": 1, "method": self.method, "params": self.params });
        let mut headers = String::new();
        if let Era::Modern = era {
            body["params"]["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": era.version(),
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            headers = format!("mcp-method: {}\r\n", self.method);
            if let Some(name) = self.params["name"].as_str() {
                headers = format!("{headers}mcp-name: {name}\r\n");
            }
        }
        let body = body.to_string();
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost:{port}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             mcp-protocol-version: {}\r\n{headers}content-length: {}\r\n\r\n{body}",
            era.version(),
            body.len(),
        )
        .into_bytes()
    }
}
