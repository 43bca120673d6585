//! The resource that a request names, in every method that names one.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use stoa_base::text::one_line;
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::era::Era;
use crate::params::Params;
use crate::recorded::recorded;
use crate::rpc::{INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError};
use crate::{Argument, Mark, Resources, Service};

/// The code of what is not there.
pub(super) const NOT_FOUND: &str = "ResourceNotFound";

/// A resource that may be there, under audit.
pub(super) struct Named<'a> {
    pub service: &'a Arc<Service>,
    pub resources: &'a Arc<dyn Resources>,
    pub uri: String,
    pub act: Act,
}

/// Puts the request under audit and finds whose resource it would be.
pub(super) async fn admit<'a>(
    context: &'a Context,
    method: &'static str,
    params: &Params<'_>,
) -> Result<Named<'a>, RpcError> {
    let uri = params.uri.and_then(text).map(Cow::into_owned);
    let found = uri.as_ref().and_then(|uri| context.listing.resources_of(uri));
    let spec = found.map(|(_, resources)| resources.spec());
    let mark = spec.map_or(Mark::Length, |spec| spec.mark);
    let arguments = json!({ "uri": uri.as_ref().map(|uri| recorded_uri(uri, mark)) });
    let noted = Noted { tool: Cow::Borrowed(method), scope: spec.map(|spec| spec.scope), arguments };
    let act = conduct::open(context, noted);
    let Some(uri) = uri else {
        return Err(conduct::unreadable(context, &act, "`uri` must be a string.").await);
    };
    let Some((service, resources)) = found else {
        return Err(deny(context, &act, NOT_FOUND, &uri).await);
    };
    if !service.policy.exposure.shows(&context.caller, resources.spec().scope) {
        return Err(deny(context, &act, NOT_GRANTED, &uri).await);
    }
    Ok(Named { service, resources, uri, act })
}

async fn deny(context: &Context, act: &Act, code: &str, uri: &str) -> RpcError {
    conduct::refuse(context, act, (Status::Denied, code), not_found(context.era, uri)).await
}

/// What the audit keeps of a URI.
pub(super) fn recorded_uri(uri: &str, mark: Mark) -> Value {
    let specified = [Argument::text("uri", "The resource.").mark(mark)];
    recorded(&specified, &Map::from_iter([("uri".to_owned(), uri.into())]))["uri"].take()
}

/// `-32602`, before 2026-07-28 `-32002`.
pub(super) fn not_found(era: Era, uri: &str) -> RpcError {
    let code = if era == Era::Modern { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
    let data = json!({ "uri": one_line(uri, 200) });
    RpcError { data: Some(data), ..RpcError::answered(code, "Resource not found") }
}
