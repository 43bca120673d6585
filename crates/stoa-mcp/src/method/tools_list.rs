//! `tools/list`: one page, the tools that exist for this caller.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::page::Caching;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};

#[derive(Serialize)]
struct Tools<'a> {
    tools: Vec<&'a RawValue>,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    // The list has one page: no cursor was ever given out.
    if params.cursor.is_some() {
        return Err(RpcError::answered(INVALID_PARAMS, "Unknown cursor: the list has one page."));
    }
    let tools = context.listing.visible_tools(&context.caller);
    let result = Tools { tools, caching: Caching::list(context.era) };
    Ok(success(context.era, &context.listing.server, id, &result))
}
