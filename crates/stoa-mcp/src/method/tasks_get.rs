//! `tasks/get`: where a task stands, with its result once it is over.

use serde_json::value::RawValue;

use super::named_task;
use crate::Method;
use crate::context::Context;
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};
use crate::task::wire::DetailedTask;

const METHOD: &str = Method::TasksGet.as_str();

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let named = named_task::admit(context, METHOD, params).await?;
    let get = named.tasks.get(context.caller.clone(), named.id.clone());
    let task = named.conduct(context, METHOD, get).await?;
    let result = DetailedTask::new(context, named.service.name, named.service.policy, task);
    Ok(success(context.era, &context.listing.server, id, &result))
}
