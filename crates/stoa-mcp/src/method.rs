//! The methods, one file each. What is not here, `capabilities` do not promise.

mod completion_complete;
mod discover;
mod initialize;
mod instructions;
mod named_resource;
mod named_task;
mod names;
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

pub use names::Method;

/// Answers a request of a known era.
pub(crate) async fn answer(context: Context, id: &RawValue, name: &str, params: &Params<'_>) -> Response {
    let is_answered = |method: &Method| context.listing.capabilities.answers(context.era, *method);
    let Some(method) = Method::parse(name).filter(is_answered) else {
        return json(failure(Some(id), &context.era.method_not_found(&one_line(name, 80))));
    };
    let answered = match method {
        Method::ToolsCall => return tools_call::answer(context, id, params).await,
        Method::SubscriptionsListen => return subscriptions_listen::answer(context, id, params).await,
        Method::ToolsList => tools_list::answer(&context, id, params),
        Method::PromptsList => prompts_list::answer(&context, id, params),
        Method::PromptsGet => prompts_get::answer(&context, id, params).await,
        Method::ResourcesList => resources_list::answer(&context, id, params).await,
        Method::ResourcesTemplatesList => resources_templates_list::answer(&context, id, params),
        Method::ResourcesRead => resources_read::answer(&context, id, params).await,
        Method::CompletionComplete => completion_complete::answer(&context, id, params).await,
        Method::TasksGet => tasks_get::answer(&context, id, params).await,
        Method::TasksUpdate => tasks_update::answer(&context, id, params).await,
        Method::TasksCancel => tasks_cancel::answer(&context, id, params).await,
        Method::ServerDiscover => discover::answer(&context, id, params).await,
        Method::Initialize => initialize::answer(&context, id, params).await,
        Method::Ping => Ok(ping::answer(&context, id)),
        Method::LoggingSetLevel => session_courtesies::set_level(&context, id, params),
        Method::ResourcesSubscribe => session_courtesies::subscribe(&context, id, params).await,
        Method::ResourcesUnsubscribe => Ok(session_courtesies::unsubscribe(&context, id)),
    };
    json(answered.unwrap_or_else(|error| failure(Some(id), &error)))
}
