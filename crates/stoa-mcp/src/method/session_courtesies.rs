//! `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe` of the legacy era, for services that
//! answer them ([`Courtesy::Answered`](crate::Courtesy)): nothing is remembered, as there is no session to remember
//! it of. A level that does not exist and a resource that is not there are errors all the same.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::resources_read;
use crate::Level;
use crate::conduct;
use crate::context::Context;
use crate::envelope::text;
use crate::meter::Meter;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};

/// `method` as the audit notes it; only that of subscribing reaches a service.
const SUBSCRIBE: &str = "resources/subscribe";

pub(super) async fn answer(
    context: &Context,
    id: &RawValue,
    method: &str,
    params: &Params<'_>,
) -> Result<Reply, RpcError> {
    match method {
        "logging/setLevel" => level(params)?,
        SUBSCRIBE => is_there(context, &resources_read::uri(params)?).await?,
        // Whoever never subscribed has nothing to end.
        _ => (),
    }
    Ok(success(context.era, &context.listing.server, id, &Map::<String, Value>::new()))
}

fn level(params: &Params<'_>) -> Result<(), RpcError> {
    let level = params.level.and_then(text).and_then(|name| Level::named(&name));
    level.map(|_| ()).ok_or_else(|| RpcError::bad_request(INVALID_PARAMS, "`level` is none of RFC 5424."))
}

async fn is_there(context: &Context, uri: &str) -> Result<(), RpcError> {
    let (service, resources, act) = resources_read::admit(context, SUBSCRIBE, uri).await?;
    let work = async {
        conduct::count(context, service)?;
        resources.changes(uri.to_owned(), context.caller.clone()).await
    };
    let watched = conduct::conduct(context, service, &act, &Meter::new(service.name, SUBSCRIBE), work).await;
    let watched = watched.map_err(|error| conduct::rpc_error(context, error))?;
    watched.map(drop).ok_or_else(|| resources_read::not_found(context.era, uri))
}
