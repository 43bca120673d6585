//! Which of MCP's two eras a request speaks, and whether it speaks it properly.
//!
//! Legacy: 2024-11-05 to 2025-11-25, opened by `initialize`. Modern: 2026-07-28, where each request says in
//! `params._meta` and in headers what it speaks (MCP 2026-07-28, Basic, Versioning). Both come to one
//! endpoint, and nothing is remembered between requests.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::json;
use stoa_site::single::single;

use crate::Method;
use crate::envelope::{Message, text};
use crate::params::{Meta, Params};
use crate::rpc::{
    HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError, UNSUPPORTED_VERSION,
};

/// The revision of the modern era.
pub(crate) const MODERN: &str = "2026-07-28";
/// The revisions of the legacy era, the latest first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// All of them, the latest first.
pub(crate) const SUPPORTED: [&str; 5] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3]];

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The era of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Up to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

impl Era {
    /// There is no such method: 404 in the modern era, so that clients can tell an old server.
    pub fn method_not_found(self, method: &str) -> RpcError {
        let status = if self == Self::Modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
        RpcError {
            status,
            code: METHOD_NOT_FOUND,
            message: format!("Method not found: {method}").into(),
            data: None,
        }
    }
}

/// Tells the era of a request and checks what that era asks for.
pub(crate) fn tell(message: &Message<'_>, params: &Params<'_>, headers: &HeaderMap) -> Result<Era, RpcError> {
    if is_modern(message, params, headers) {
        check_modern(message, params, headers).map(|()| Era::Modern)
    } else {
        check_legacy(message, headers).map(|()| Era::Legacy)
    }
}

fn is_modern(message: &Message<'_>, params: &Params<'_>, headers: &HeaderMap) -> bool {
    let by_meta = |meta: &Meta<'_>| meta.protocol_version.is_some() || meta.client_capabilities.is_some();
    params.meta.as_ref().is_some_and(by_meta)
        || message.is(Method::ServerDiscover)
        || !message.is(Method::Initialize) && asks_for_modern(headers)
}

/// Whether the header holds a date that is not before the modern era.
fn asks_for_modern(headers: &HeaderMap) -> bool {
    let is_date = |text: &str| text.len() == MODERN.len() && text.starts_with("20");
    headers
        .get(VERSION)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| is_date(text) && text >= MODERN)
}

/// In the order of the conformance suite: what `_meta` must hold, headers against the body, the version.
fn check_modern(message: &Message<'_>, params: &Params<'_>, headers: &HeaderMap) -> Result<(), RpcError> {
    let version = required_meta(params.meta.as_ref())?;
    agree(headers, &VERSION, &version)?;
    agree(headers, &METHOD, &message.method)?;
    agree_on_name(&message.method, params, headers)?;
    if version == MODERN { Ok(()) } else { Err(unsupported(&version)) }
}

fn required_meta<'a>(meta: Option<&Meta<'a>>) -> Result<Cow<'a, str>, RpcError> {
    let missing = |what| {
        RpcError::bad_request(
            INVALID_PARAMS,
            format!("`params._meta` needs `io.modelcontextprotocol/{what}`."),
        )
    };
    let version = meta.and_then(|meta| meta.protocol_version).and_then(text);
    let version = version.ok_or_else(|| missing("protocolVersion` (a string) and `clientCapabilities"))?;
    let capabilities = meta.and_then(|meta| meta.client_capabilities);
    if !capabilities.is_some_and(|raw| raw.get().starts_with('{')) {
        return Err(missing("clientCapabilities` (an object) beside `protocolVersion"));
    }
    Ok(version)
}

/// `Mcp-Name` repeats one parameter of some methods; it may be `=?base64?…?=`, where the value does not fit into
/// a header.
fn agree_on_name(method: &str, params: &Params<'_>, headers: &HeaderMap) -> Result<(), RpcError> {
    let named = match Method::parse(method) {
        Some(Method::ToolsCall | Method::PromptsGet) => params.name,
        Some(Method::ResourcesRead) => params.uri,
        Some(Method::TasksGet | Method::TasksUpdate | Method::TasksCancel) => params.task_id,
        _ => return Ok(()),
    };
    let header = single(headers, &NAME).map_err(|_| mismatch(&NAME))?.and_then(decode);
    let header = header.ok_or_else(|| mismatch(&NAME))?;
    // A call without a name has nothing to agree with: the method itself says what it lacks.
    if named.and_then(text).is_none_or(|body| body == header) { Ok(()) } else { Err(mismatch(&NAME)) }
}

fn agree(headers: &HeaderMap, name: &HeaderName, body: &str) -> Result<(), RpcError> {
    let header = single(headers, name).map_err(|_| mismatch(name))?;
    if header == Some(body) { Ok(()) } else { Err(mismatch(name)) }
}

fn decode(header: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(Cow::Borrowed(header));
    };
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned)
}

fn mismatch(name: &HeaderName) -> RpcError {
    let message = format!("The header {name} is missing, unreadable, or says something else than the body.");
    RpcError::bad_request(HEADER_MISMATCH, message)
}

fn unsupported(requested: &str) -> RpcError {
    let data = json!({ "supported": SUPPORTED, "requested": requested });
    let message = format!("Unsupported protocol version: {requested}");
    RpcError { data: Some(data), ..RpcError::bad_request(UNSUPPORTED_VERSION, message) }
}

/// Without the header a client of 2025-03-26 is assumed, or an older one. `initialize` negotiates in its body.
fn check_legacy(message: &Message<'_>, headers: &HeaderMap) -> Result<(), RpcError> {
    let wrong = |text: String| RpcError {
        data: Some(json!({ "supported": SUPPORTED })),
        ..RpcError::bad_request(INVALID_REQUEST, text)
    };
    match single(headers, &VERSION) {
        _ if message.is(Method::Initialize) => Ok(()),
        Ok(None) => Ok(()),
        Ok(Some(version)) if LEGACY.contains(&version) => Ok(()),
        Ok(Some(version)) => Err(wrong(format!("Unsupported protocol version: {version}"))),
        Err(_) => Err(wrong("Send the header MCP-Protocol-Version once.".to_owned())),
    }
}

#[cfg(test)]
mod tests;
