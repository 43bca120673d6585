//! `tasks/cancel`: asks a task to stop. When it has, `tasks/get` shows.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::named_task;
use crate::Method;
use crate::context::Context;
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};

const METHOD: &str = Method::TasksCancel.as_str();

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let named = named_task::admit(context, METHOD, params).await?;
    let (caller, act) = (context.caller.clone(), named.act.clone());
    named.conduct(context, METHOD, named.tasks.cancel(caller, act, named.id.clone())).await?;
    Ok(success(context.era, &context.listing.server, id, &Map::<String, Value>::new()))
}
