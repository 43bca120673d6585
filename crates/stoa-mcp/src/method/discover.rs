//! `server/discover`: what the modern era asks instead of a handshake.

use serde::Serialize;
use serde_json::value::RawValue;

use super::instructions;
use crate::context::Context;
use crate::era::SUPPORTED;
use crate::offer::Offered;
use crate::page::Caching;
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};

/// How long a client may keep the answer, in milliseconds: the instructions hold counts that move.
const TTL_MS: u32 = 60_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovered {
    supported_versions: [&'static str; SUPPORTED.len()],
    capabilities: Offered,
    instructions: String,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let result = Discovered {
        supported_versions: SUPPORTED,
        capabilities: context.listing.capabilities.offered(context.era),
        instructions: instructions::text(context).await?,
        caching: Caching::private(context.era, TTL_MS),
    };
    instructions::note_client(context, params).await;
    Ok(success(context.era, &context.listing.server, id, &result))
}
