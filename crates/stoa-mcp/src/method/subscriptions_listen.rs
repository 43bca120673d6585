//! `subscriptions/listen`: what of the request can be honored, then the stream.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::response::Response;
use futures::StreamExt;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use stoa_store::audit::Status;

use super::named_resource::recorded_uri;
use crate::conduct::{self, Noted};
use crate::context::Context;
use crate::listen::{self, Changes, Honored};
use crate::params::Params;
use crate::respond::json;
use crate::rpc::{INVALID_PARAMS, RpcError, failure};
use crate::{BadArgument, Mark, Method, Resources, ToolError};

const METHOD: &str = Method::SubscriptionsListen.as_str();
/// How many resources one stream may follow.
const MOST_RESOURCES: usize = 100;
/// How many of them the audit keeps; of the rest it keeps how many there were.
const NOTED: usize = 5;
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
    let wanted = Wanted::read(params);
    let act = conduct::open(context, noted(context, wanted.as_ref()));
    let Some(wanted) = wanted else {
        let message = "`notifications` must be an object that says what of.";
        return Err(conduct::unreadable(context, &act, message).await);
    };
    if wanted.resource_subscriptions.len() > MOST_RESOURCES {
        let message = format!("One stream follows at most {MOST_RESOURCES} resources.");
        return Err(conduct::unreadable(context, &act, message).await);
    }
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
    let work = async {
        count(context, &wanted)?;
        follow(context, wanted).await
    };
    let (_, followed) = conduct::ended(&act, BadArgument::ArgumentError, work).await;
    let (honored, changes) = followed.map_err(|error| conduct::rpc_error(context, error))?;
    Ok(listen::response(context, id, &honored, changes, place))
}

impl Wanted {
    /// `None` where it can't be read.
    fn read(params: &Params<'_>) -> Option<Self> {
        let raw = params.notifications.filter(|raw| raw.get().starts_with('{'))?;
        serde_json::from_str(raw.get()).ok()
    }
}

/// How many resources, and the first of them.
fn noted(context: &Context, wanted: Option<&Wanted>) -> Noted<'static> {
    let mark = |uri: &str| context.listing.resources_of(uri).map_or(Mark::Length, |(_, it)| it.spec().mark);
    let arguments = wanted.map(|Wanted { resource_subscriptions: uris }| {
        let first: Vec<_> = uris.iter().take(NOTED).map(|uri| recorded_uri(uri, mark(uri))).collect();
        json!({ "resource_subscriptions": { "count": uris.len(), "first": first } })
    });
    Noted { tool: Cow::Borrowed(METHOD), scope: None, arguments: arguments.unwrap_or_default() }
}

/// One request of each service that is asked, whether or not anything comes of it; of one in any case, so that
/// nobody listens to nothing without an end.
fn count(context: &Context, wanted: &Wanted) -> Result<(), ToolError> {
    let listing = &context.listing;
    let asked = wanted.resource_subscriptions.iter().filter_map(|uri| listing.resources_of(uri));
    let mut services: BTreeMap<_, _> = asked.map(|(service, _)| (service.name, service)).collect();
    if services.is_empty() {
        services.extend(listing.services.first().map(|service| (service.name, service)));
    }
    services.values().try_for_each(|service| conduct::count(context, service))
}

/// The sources of what exists for this caller. What doesn't is left out, as the acknowledgment shows; an unknown
/// resource, a foreign one and one that nothing tells of are the same.
async fn follow(context: &Context, wanted: Wanted) -> Result<(Honored, Changes), ToolError> {
    let (mut honored, mut all) = (Honored::default(), Changes::new());
    for uri in wanted.resource_subscriptions {
        let Some(resources) = watchable(context, &uri) else { continue };
        let changes = resources.changes(uri.clone(), context.caller.clone()).await?;
        let Some(changes) = changes else { continue };
        let name = uri.clone();
        all.push(changes.map(move |()| name.clone()).boxed());
        honored.resource_subscriptions.push(uri);
    }
    Ok((honored, all))
}

fn watchable<'a>(context: &'a Context, uri: &str) -> Option<&'a Arc<dyn Resources>> {
    let (service, resources) = context.listing.resources_of(uri)?;
    let spec = resources.spec();
    let exists = spec.watchable && service.policy.exposure.shows(&context.caller, spec.scope);
    exists.then_some(resources)
}
