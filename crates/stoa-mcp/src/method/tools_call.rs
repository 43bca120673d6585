//! `tools/call`.

use axum::response::Response;
use futures::FutureExt;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::call::{self, Admitted, Asked, Outlets};
use crate::context::Context;
use crate::envelope::text;
use crate::era::Era;
use crate::params::Params;
use crate::progress::{self, Events};
use crate::respond::{Streaming, Work, json, respond};
use crate::rpc::{RpcError, failure};
use crate::{Level, LogSink, ProgressSink, WaitEnd, incident, unique};

pub(super) async fn answer(context: Context, id: &RawValue, params: &Params<'_>) -> Response {
    let asked = Asked { name: params.name.and_then(text), arguments: arguments(params.arguments) };
    match call::admit(&context, asked, params).await {
        Ok(admitted) => run(context, id.to_owned(), params, admitted).await,
        Err(error) => json(failure(Some(id), &error)),
    }
}

/// No arguments, null and an empty object are the same; anything but a readable object is `None`.
fn arguments(raw: Option<&RawValue>) -> Option<Map<String, Value>> {
    raw.map_or(Some(Map::new()), |raw| unique::object(raw.get()).ok())
}

async fn run(context: Context, id: Box<RawValue>, params: &Params<'_>, admitted: Admitted) -> Response {
    let config = context.endpoint.config();
    let streaming = Streaming {
        accepted: context.accepts_stream,
        after: config.stream_after,
        keep_alive: config.keep_alive,
    };
    let request = CancellationToken::new();
    let wait_end = WaitEnd::new(request.clone(), context.endpoint.stopping().clone());
    let (progress, log, events) = sinks(&context, params);
    let (endpoint, era) = (context.endpoint.clone(), context.era);
    let work = call::perform(context, id, admitted, Outlets { progress, log, wait_end });
    let work = match era {
        Era::Modern => endpoint.running().track_future(work).boxed(),
        Era::Legacy => outliving(&endpoint, request, work.boxed()),
    };
    respond(work, events, streaming).await
}

/// Where the call tells how it goes, as far as the client asked to hear of it and takes a stream.
fn sinks(context: &Context, params: &Params<'_>) -> (ProgressSink, LogSink, Option<Events>) {
    let token = params.progress_token().filter(|_| context.accepts_stream);
    let level = level(context, params).filter(|_| context.accepts_stream);
    if token.is_none() && level.is_none() {
        return (ProgressSink::silent(), LogSink::silent(), None);
    }
    let (sender, events) = progress::channel();
    let ambient = context.endpoint.ambient();
    let log = level.map_or_else(LogSink::silent, |least| LogSink::new(least, sender.clone()));
    let progress = token.map_or_else(ProgressSink::silent, |token| {
        ProgressSink::new(token.to_owned(), ambient.clone(), sender)
    });
    (progress, log, Some(events))
}

/// From which level on the client hears, where there is anything to hear. A modern one says so with each request; a
/// legacy one may have, in a session that there is not.
fn level(context: &Context, params: &Params<'_>) -> Option<Level> {
    if !context.listing.capabilities.logs() {
        return None;
    }
    match context.era {
        Era::Modern => params.meta.as_ref()?.log_level.and_then(text).and_then(|name| Level::named(&name)),
        Era::Legacy => Some(Level::Info),
    }
}

/// In the legacy era a disconnect does not mean cancel (MCP 2025-11-25, Transports): the work goes on as a
/// task of its own, and only its waits end.
fn outliving(endpoint: &crate::Endpoint, request: CancellationToken, work: Work) -> Work {
    let ambient = endpoint.ambient().clone();
    let task = endpoint.running().spawn(work);
    async move {
        let _ends_with_the_response = request.drop_guard();
        task.await
            .unwrap_or_else(|lost| failure(None, &RpcError::internal(&incident::noted(&ambient, &lost))))
    }
    .boxed()
}
