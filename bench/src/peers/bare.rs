//! The bare endpoint: JSON-RPC written by hand on axum, as little as can be answered with. It knows one tool,
//! asks nobody who they are, limits nothing, checks nothing and keeps nothing.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, serve as serve_router};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::net::TcpListener;

use crate::Outcome;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: Arguments<'a>,
}

#[derive(Deserialize, Serialize)]
struct Arguments<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: CallResult<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: [Text<'a>; 1],
    structured_content: &'a Arguments<'a>,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// Serves until it is ended.
pub async fn serve(listen: SocketAddr) -> Outcome<()> {
    let router = Router::new().route("/readyz", get(async || "ready\n")).route("/things/mcp", post(answer));
    Ok(serve_router(TcpListener::bind(listen).await?, router).await?)
}

async fn answer(body: Bytes) -> Response {
    match echo(&body) {
        Ok(json) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

fn echo(body: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let Request { id, params } = serde_json::from_slice(body)?;
    debug_assert_eq!(params.name, "echo");
    let text = serde_json::to_string(&params.arguments)?;
    let content = [Text { r#type: "text", text: &text }];
    let result = CallResult { content, structured_content: &params.arguments };
    serde_json::to_vec(&Answer { jsonrpc: "2.0", id, result })
}
