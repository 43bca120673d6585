//! `resources/templates/list`: the families of resources that exist for this caller, in pages.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::page::{self, Caching};
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};
use crate::{Method, ResourceTemplate};

const METHOD: &str = Method::ResourcesTemplatesList.as_str();

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    resource_templates: Vec<&'a ResourceTemplate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let visible = context.listing.visible_resources(&context.caller);
    let templates = visible.flat_map(|(_, resources)| &resources.spec().templates).collect();
    let (resource_templates, next_cursor) = page::page(context, METHOD, params, templates)?;
    let result = Page { resource_templates, next_cursor, caching: Caching::list(context.era) };
    Ok(success(context.era, &context.listing.server, id, &result))
}
