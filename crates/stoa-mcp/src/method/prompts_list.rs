//! `prompts/list`: the prompts that exist for this caller, in pages.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::Method;
use crate::context::Context;
use crate::page::{self, Caching};
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};

const METHOD: &str = Method::PromptsList.as_str();

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    prompts: Vec<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let prompts = context.listing.visible_prompts(&context.caller);
    let (prompts, next_cursor) = page::page(context, METHOD, params, prompts)?;
    let result = Page { prompts, next_cursor, caching: Caching::list(context.era) };
    Ok(success(context.era, &context.listing.server, id, &result))
}
