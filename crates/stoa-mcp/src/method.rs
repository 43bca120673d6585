//! The methods, one file each. What is not here, `capabilities` do not promise.

mod completion_complete;
mod discover;
mod initialize;
mod instructions;
mod ping;
mod prompts_get;
mod prompts_list;
mod resources_list;
mod resources_read;
mod resources_templates_list;
mod session_courtesies;
mod subscriptions_listen;
mod tasks_cancel;
mod tasks_get;
mod tasks_update;
mod tools_call;
mod tools_list;

use axum::response::Response;
use serde_json::value::RawValue;
use stoa_base::text::one_line;

use crate::context::Context;
use crate::params::Params;
use crate::respond::json;
use crate::rpc::failure;

/// Answers a request of a known era.
pub(crate) async fn answer(context: Context, id: &RawValue, method: &str, params: &Params<'_>) -> Response {
    if !context.listing.capabilities.answers(context.era, method) {
        return json(failure(Some(id), &context.era.method_not_found(&one_line(method, 80))));
    }
    let answered = match method {
        "tools/call" => return tools_call::answer(context, id, params).await,
        "subscriptions/listen" => return subscriptions_listen::answer(context, id, params).await,
        "tools/list" => tools_list::answer(&context, id, params),
        "prompts/list" => prompts_list::answer(&context, id, params),
        "prompts/get" => prompts_get::answer(&context, id, params).await,
        "resources/list" => resources_list::answer(&context, id, params).await,
        "resources/templates/list" => resources_templates_list::answer(&context, id, params),
        "resources/read" => resources_read::answer(&context, id, params).await,
        "completion/complete" => completion_complete::answer(&context, id, params).await,
        "tasks/get" => tasks_get::answer(&context, id, params).await,
        "tasks/update" => tasks_update::answer(&context, id, params).await,
        "tasks/cancel" => tasks_cancel::answer(&context, id, params).await,
        "server/discover" => discover::answer(&context, id, params).await,
        "initialize" => initialize::answer(&context, id, params).await,
        "ping" => Ok(ping::answer(&context, id)),
        _ => session_courtesies::answer(&context, id, method, params).await,
    };
    json(answered.unwrap_or_else(|error| failure(Some(id), &error)))
}
