//! JSON-RPC 2.0 as MCP writes it: results and errors, in the form of either era.

use std::borrow::Cow;

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::era::Era;
use crate::incident;

/// The body was no JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// It was JSON, but no request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters are wrong; a tool that doesn't exist (for this caller) is one.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// Our fault.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// A header is missing or says something else than the body (MCP 2026-07-28).
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// The request takes a capability that the client did not declare (MCP 2026-07-28).
pub(crate) const MISSING_CAPABILITY: i32 = -32021;
/// The protocol version is none of ours (MCP 2026-07-28).
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// There is no such resource (MCP up to 2025-11-25).
pub(crate) const RESOURCE_NOT_FOUND: i32 = -32002;
/// Refused by policy: over a limit, without a right. `data` has what a tool error would have. Outside of what
/// JSON-RPC and MCP keep for themselves.
pub(crate) const REFUSED: i32 = -31000;

/// A JSON-RPC error, with the HTTP status it travels under.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub status: StatusCode,
    pub code: i32,
    pub message: Cow<'static, str>,
    pub data: Option<Value>,
}

impl RpcError {
    /// An error under HTTP 400: the request itself is wrong.
    pub fn bad_request(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), data: None }
    }

    /// An error under HTTP 200: the request was understood.
    pub fn answered(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status: StatusCode::OK, code, message: message.into(), data: None }
    }

    /// A fault of ours; the log has the cause under the incident's id.
    pub fn internal(incident: &str) -> Self {
        Self::answered(INTERNAL_ERROR, incident::sentence(incident))
    }
}

/// One HTTP answer to one JSON-RPC request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub status: StatusCode,
    pub body: Bytes,
}

/// What the server calls itself.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ServerInfo {
    pub name: &'static str,
    pub title: &'static str,
    pub version: &'static str,
}

#[derive(Serialize)]
struct Success<'a, R> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: Complete<'a, R>,
}

#[derive(Serialize)]
struct Complete<'a, R> {
    #[serde(flatten)]
    result: &'a R,
    #[serde(flatten)]
    modern: Option<Modern<'a>>,
}

/// What each result carries since 2026-07-28.
#[derive(Serialize)]
struct Modern<'a> {
    #[serde(rename = "resultType")]
    result_type: &'static str,
    #[serde(rename = "_meta")]
    meta: Meta<'a>,
}

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server: &'a ServerInfo,
}

#[derive(Serialize)]
struct Failure<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

/// The answer that carries a complete result.
pub(crate) fn success(era: Era, server: &ServerInfo, id: &RawValue, result: &impl Serialize) -> Reply {
    success_of("complete", era, server, id, result)
}

/// The answer that carries a result of this type: `complete`, `input_required`, `task`.
pub(crate) fn success_of(
    result_type: &'static str,
    era: Era,
    server: &ServerInfo,
    id: &RawValue,
    result: &impl Serialize,
) -> Reply {
    let modern = (era == Era::Modern).then_some(Modern { result_type, meta: Meta { server } });
    let body = Success { jsonrpc: "2.0", id, result: Complete { result, modern } };
    Reply { status: StatusCode::OK, body: encode(&body) }
}

/// The answer that carries an error. The id is null only where the request's could not be read.
pub(crate) fn failure(id: Option<&RawValue>, error: &RpcError) -> Reply {
    let object = ErrorObject { code: error.code, message: &error.message, data: error.data.as_ref() };
    let body = Failure { jsonrpc: "2.0", id, error: object };
    Reply { status: error.status, body: encode(&body) }
}

fn encode(body: &impl Serialize) -> Bytes {
    // Strings, numbers and JSON that is already written: there is nothing here that can't be.
    serde_json::to_vec(body).map(Bytes::from).unwrap_or_default()
}
