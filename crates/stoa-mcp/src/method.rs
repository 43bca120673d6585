//! The methods, one file each. What is not here, `capabilities` do not promise.

mod discover;
mod initialize;
mod instructions;
mod ping;
mod tools_call;
mod tools_list;

use axum::response::Response;
use serde::Serialize;
use serde_json::value::RawValue;
use stoa_base::text::one_line;

use crate::context::Context;
use crate::era::Era;
use crate::params::Params;
use crate::respond::json;
use crate::rpc::failure;

/// Answers a request of a known era.
pub(crate) async fn answer(context: Context, id: &RawValue, method: &str, params: &Params<'_>) -> Response {
    let answered = match (context.era, method) {
        (Era::Legacy, "initialize") => initialize::answer(&context, id, params).await,
        (Era::Legacy, "ping") => Ok(ping::answer(&context, id)),
        (Era::Modern, "server/discover") => discover::answer(&context, id, params).await,
        (_, "tools/list") => tools_list::answer(&context, id, params),
        (_, "tools/call") => return tools_call::answer(context, id, params).await,
        (era, other) => Err(era.method_not_found(&one_line(other, 80))),
    };
    json(answered.unwrap_or_else(|error| failure(Some(id), &error)))
}

/// What the endpoint can do: tools, whose list no notification announces.
#[derive(Debug, Default, Serialize)]
struct Capabilities {
    tools: ToolsCapability,
}

#[derive(Debug, Default, Serialize)]
struct ToolsCapability {}
