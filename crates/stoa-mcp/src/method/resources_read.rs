//! `resources/read`. A resource that nobody has, one outside the grant and one out of reach are answered alike.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::era::Era;
use crate::meter::Meter;
use crate::page::Caching;
use crate::params::Params;
use crate::recorded::recorded;
use crate::rounds::{self, AskedBack};
use crate::rpc::{INVALID_PARAMS, RESOURCE_NOT_FOUND, Reply, RpcError, success, success_of};
use crate::{Argument, Contents, Given, Inputs, Mark, Method, Resources, Service, ToolError};

const METHOD: &str = Method::ResourcesRead.as_str();
/// The code of what is not there.
pub(super) const NOT_FOUND: &str = "ResourceNotFound";

#[derive(Serialize)]
struct Read {
    contents: Contents,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let uri = uri(params)?;
    let (service, resources, act) = admit(context, METHOD, &uri).await?;
    let nothing = Map::new();
    let inputs = rounds::inputs(context, &act, METHOD, &uri, &nothing, params).await?;
    let read = read(context, (service, resources), &act, uri.to_string(), inputs).await;
    let (era, server) = (context.era, &context.listing.server);
    match read.map_err(|error| rpc_error(context, &uri, error))? {
        Given::Asks(questions) => {
            let asked = AskedBack::new(context, METHOD, &uri, &nothing, &questions);
            Ok(success_of("input_required", era, server, id, &asked))
        }
        Given::Ready(contents) => {
            let caching = Caching::private(era, resources.spec().ttl_ms);
            Ok(success(era, server, id, &Read { contents, caching }))
        }
    }
}

/// The URI of the parameters.
pub(super) fn uri<'a>(params: &Params<'a>) -> Result<Cow<'a, str>, RpcError> {
    let uri = params.uri.and_then(text);
    uri.ok_or_else(|| RpcError::bad_request(INVALID_PARAMS, "`uri` must be a string."))
}

/// Puts the request under audit and finds whose resource it is.
pub(super) async fn admit<'a>(
    context: &'a Context,
    method: &'static str,
    uri: &str,
) -> Result<(&'a Arc<Service>, &'a Arc<dyn Resources>, Act), RpcError> {
    let found = context.listing.resources_of(uri);
    let spec = found.map(|(_, resources)| resources.spec());
    let arguments = recorded_uri(uri, spec.map_or(Mark::Length, |spec| spec.mark));
    let noted = Noted { tool: Cow::Borrowed(method), scope: spec.map(|spec| spec.scope), arguments };
    let act = conduct::open(context, noted);
    let Some((service, resources)) = found else {
        let error = not_found(context.era, uri);
        return Err(conduct::refuse(context, &act, (Status::Denied, NOT_FOUND), error).await);
    };
    if !service.policy.exposure.shows(&context.caller, resources.spec().scope) {
        let error = not_found(context.era, uri);
        return Err(conduct::refuse(context, &act, (Status::Denied, NOT_GRANTED), error).await);
    }
    Ok((service, resources, act))
}

/// What the audit keeps of a URI.
pub(super) fn recorded_uri(uri: &str, mark: Mark) -> Value {
    let specified = [Argument::text("uri", "The resource.").mark(mark)];
    recorded(&specified, &Map::from_iter([("uri".to_owned(), uri.into())]))
}

async fn read(
    context: &Context,
    (service, resources): (&Arc<Service>, &Arc<dyn Resources>),
    act: &Act,
    uri: String,
    inputs: Inputs,
) -> Result<Given<Contents>, ToolError> {
    let call = conduct::quiet_call(context, act, Map::new(), inputs);
    let work = async {
        conduct::count(context, service)?;
        let read = resources.read(uri, call).await?;
        let read = read.ok_or_else(|| ToolError::failed(NOT_FOUND, "There is no such resource."))?;
        if let Given::Asks(questions) = &read {
            conduct::can_ask(context, questions)?;
        }
        Ok(read)
    };
    conduct::conduct(context, service, act, &Meter::new(service.name, METHOD), work).await
}

fn rpc_error(context: &Context, uri: &str, error: ToolError) -> RpcError {
    match error {
        ToolError::Refused { code: NOT_FOUND, .. } => not_found(context.era, uri),
        error => conduct::rpc_error(context, error),
    }
}

/// `-32602`, before 2026-07-28 `-32002`.
pub(super) fn not_found(era: Era, uri: &str) -> RpcError {
    let code = if era == Era::Modern { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
    let data = json!({ "uri": stoa_base::text::one_line(uri, 200) });
    RpcError { data: Some(data), ..RpcError::answered(code, "Resource not found") }
}
