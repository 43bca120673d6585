//! `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe` of the legacy era, for services that
//! answer them ([`Courtesy::Answered`](crate::Courtesy)): nothing is remembered, as there is no session to remember
//! it of. A level that does not exist and a resource that is not there are errors all the same.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::named_resource::{self, Named};
use crate::conduct;
use crate::context::Context;
use crate::envelope::text;
use crate::meter::Meter;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};
use crate::{Level, Method};

/// The only one of them that reaches a service.
const SUBSCRIBE: &str = Method::ResourcesSubscribe.as_str();

pub(super) fn set_level(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    match params.level.and_then(text).and_then(|name| Level::named(&name)) {
        Some(_) => Ok(nothing(context, id)),
        None => Err(RpcError::bad_request(INVALID_PARAMS, "`level` is none of RFC 5424.")),
    }
}

pub(super) async fn subscribe(
    context: &Context,
    id: &RawValue,
    params: &Params<'_>,
) -> Result<Reply, RpcError> {
    is_there(context, params).await?;
    Ok(nothing(context, id))
}

/// Whoever never subscribed has nothing to end.
pub(super) fn unsubscribe(context: &Context, id: &RawValue) -> Reply {
    nothing(context, id)
}

fn nothing(context: &Context, id: &RawValue) -> Reply {
    success(context.era, &context.listing.server, id, &Map::<String, Value>::new())
}

async fn is_there(context: &Context, params: &Params<'_>) -> Result<(), RpcError> {
    let Named { service, resources, uri, act } = named_resource::admit(context, SUBSCRIBE, params).await?;
    let work = async {
        conduct::count(context, service)?;
        resources.changes(uri.clone(), context.caller.clone()).await
    };
    let watched = conduct::conduct(context, service, &act, &Meter::new(service.name, SUBSCRIBE), work).await;
    let watched = watched.map_err(|error| conduct::rpc_error(context, error))?;
    watched.map(drop).ok_or_else(|| named_resource::not_found(context.era, &uri))
}
