//! `subscriptions/listen`: what of the request can be honored, then the stream.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use axum::response::Response;
use futures::StreamExt;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use stoa_store::audit::Status;

use super::resources_read::recorded_uri;
use crate::conduct::{self, Noted};
use crate::context::Context;
use crate::listen::{self, Changes, Honored};
use crate::params::Params;
use crate::respond::json;
use crate::rpc::{INVALID_PARAMS, RpcError, failure};
use crate::{BadArgument, Mark, Method, Resources, Service, ToolError};

const METHOD: &str = Method::SubscriptionsListen.as_str();
/// How many resources one stream may follow.
const MOST_RESOURCES: usize = 100;
/// The code of a stream too many.
const TOO_MANY: &str = "TooManyStreams";

/// What the client wants to hear of. Lists are never announced, so that those wishes are not even read.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    resource_subscriptions: BTreeSet<String>,
}

pub(super) async fn answer(context: Context, id: &RawValue, params: &Params<'_>) -> Response {
    match open(&context, id, params).await {
        Ok(response) => response,
        Err(error) => json(failure(Some(id), &error)),
    }
}

async fn open(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Response, RpcError> {
    let wanted = wanted(params)?;
    let act = conduct::open(context, noted(context, &wanted));
    if !context.accepts_stream {
        let message = "Send Accept: text/event-stream: this is answered by a stream.";
        let error = RpcError::bad_request(INVALID_PARAMS, message);
        return Err(conduct::refuse(context, &act, (Status::Error, "NotAcceptable"), error).await);
    }
    let Some(place) = context.endpoint.streams().enter(context.caller.installation) else {
        let error = ToolError::denied(TOO_MANY, "This installation has as many streams open as it may.");
        let error = conduct::rpc_error(context, error);
        return Err(conduct::refuse(context, &act, (Status::Denied, TOO_MANY), error).await);
    };
    let (_, followed) = conduct::ended(&act, BadArgument::ArgumentError, follow(context, wanted)).await;
    let (honored, changes) = followed.map_err(|error| conduct::rpc_error(context, error))?;
    Ok(listen::response(context, id, &honored, changes, place))
}

fn wanted(params: &Params<'_>) -> Result<Wanted, RpcError> {
    let unreadable =
        || RpcError::bad_request(INVALID_PARAMS, "`notifications` must be an object that says what of.");
    let raw = params.notifications.filter(|raw| raw.get().starts_with('{')).ok_or_else(unreadable)?;
    let wanted: Wanted = serde_json::from_str(raw.get()).map_err(|_| unreadable())?;
    if wanted.resource_subscriptions.len() > MOST_RESOURCES {
        let message = format!("One stream follows at most {MOST_RESOURCES} resources.");
        return Err(RpcError::bad_request(INVALID_PARAMS, message));
    }
    Ok(wanted)
}

fn noted(context: &Context, wanted: &Wanted) -> Noted<'static> {
    let mark = |uri: &str| context.listing.resources_of(uri).map_or(Mark::Length, |(_, it)| it.spec().mark);
    let uris = wanted.resource_subscriptions.iter().map(|uri| recorded_uri(uri, mark(uri))["uri"].clone());
    let arguments = json!({ "resource_subscriptions": uris.collect::<Vec<_>>() });
    Noted { tool: Cow::Borrowed(METHOD), scope: None, arguments }
}

/// The sources of what exists for this caller. What doesn't is left out, as the acknowledgment shows; an unknown
/// resource, a foreign one and one that nothing tells of are the same.
async fn follow(context: &Context, wanted: Wanted) -> Result<(Honored, Changes), ToolError> {
    let (mut honored, mut all) = (Honored::default(), Changes::new());
    let mut counted = BTreeSet::new();
    for uri in wanted.resource_subscriptions {
        let Some((service, resources)) = watchable(context, &uri) else { continue };
        if counted.insert(service.name) {
            conduct::count(context, service)?;
        }
        let changes = resources.changes(uri.clone(), context.caller.clone()).await?;
        let Some(changes) = changes else { continue };
        let name = uri.clone();
        all.push(changes.map(move |()| name.clone()).boxed());
        honored.resource_subscriptions.push(uri);
    }
    Ok((honored, all))
}

fn watchable<'a>(context: &'a Context, uri: &str) -> Option<(&'a Arc<Service>, &'a Arc<dyn Resources>)> {
    let (service, resources) = context.listing.resources_of(uri)?;
    let spec = resources.spec();
    let exists = spec.watchable && service.policy.exposure.shows(&context.caller, spec.scope);
    exists.then_some((service, resources))
}
