//! `tasks/update`: answers to what a task asks. What became of them, `tasks/get` shows.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::named_task;
use crate::context::Context;
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};
use crate::{Inputs, Method};

const METHOD: &str = Method::TasksUpdate.as_str();

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let named = named_task::admit(context, METHOD, params).await?;
    let inputs = Inputs::read(params.input_responses, None);
    let (caller, act) = (context.caller.clone(), named.act.clone());
    named.conduct(context, METHOD, named.tasks.update(caller, act, named.id.clone(), inputs)).await?;
    Ok(success(context.era, &context.listing.server, id, &Map::<String, Value>::new()))
}
