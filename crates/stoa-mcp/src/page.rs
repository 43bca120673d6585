//! Lists in pages. A cursor is a place, sealed to the list and to the installation that it was given to.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::envelope::text;
use crate::era::Era;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, RpcError};

/// How many entries a page has where the list is at hand.
pub(crate) const PAGE: usize = 100;

/// How long a client may keep a list, in milliseconds. Another grant is another token, so another cache.
const LIST_TTL_MS: u32 = 300_000;

/// What clients may do with a result; the modern era asks for it (MCP 2026-07-28, Caching).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Caching {
    ttl_ms: u32,
    cache_scope: &'static str,
}

impl Caching {
    /// For so long, and for this token only.
    pub fn private(era: Era, ttl_ms: u32) -> Option<Self> {
        (era == Era::Modern).then_some(Self { ttl_ms, cache_scope: "private" })
    }

    /// For a list that changes with the grant only.
    pub fn list(era: Era) -> Option<Self> {
        Self::private(era, LIST_TTL_MS)
    }
}

/// The place that the request's cursor names; `None` without one.
pub(crate) fn place<T: DeserializeOwned>(
    context: &Context,
    list: &str,
    params: &Params<'_>,
) -> Result<Option<T>, RpcError> {
    let Some(raw) = params.cursor else { return Ok(None) };
    let bad = || RpcError::answered(INVALID_PARAMS, "This cursor belongs to no page of this list.");
    let cursor = text(raw).ok_or_else(bad)?;
    context.endpoint.cursors().open(&sealed_for(context, list), &cursor).map(Some).map_err(|_| bad())
}

/// The cursor of a place.
pub(crate) fn cursor(context: &Context, list: &str, place: &impl Serialize) -> String {
    context.endpoint.cursors().seal(&sealed_for(context, list), place)
}

fn sealed_for(context: &Context, list: &str) -> String {
    format!("mcp/{list}/{}", context.caller.installation)
}

/// One page of a list at hand, and the cursor of the next.
pub(crate) fn page<T>(
    context: &Context,
    list: &str,
    params: &Params<'_>,
    mut items: Vec<T>,
) -> Result<(Vec<T>, Option<String>), RpcError> {
    let from = place(context, list, params)?.unwrap_or(0_usize).min(items.len());
    items.drain(..from);
    let more = items.len() > PAGE;
    items.truncate(PAGE);
    Ok((items, more.then(|| cursor(context, list, &(from + PAGE)))))
}
