//! `tools/list`: one page, the tools that exist for this caller.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::era::Era;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};

/// How long a client may keep the list, in milliseconds. Another grant is another token, so another cache.
const TTL_MS: u32 = 300_000;

#[derive(Serialize)]
struct Tools<'a> {
    tools: Vec<&'a RawValue>,
    #[serde(flatten)]
    caching: Option<Caching>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Caching {
    ttl_ms: u32,
    cache_scope: &'static str,
}

pub(super) fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    // The list has one page: no cursor was ever given out.
    if params.cursor.is_some() {
        return Err(RpcError::answered(INVALID_PARAMS, "Unknown cursor: the list has one page."));
    }
    let caching = Caching { ttl_ms: TTL_MS, cache_scope: "private" };
    let result = Tools {
        tools: context.listing.visible(&context.caller),
        caching: (context.era == Era::Modern).then_some(caching),
    };
    Ok(success(context.era, &context.listing.server, id, &result))
}
