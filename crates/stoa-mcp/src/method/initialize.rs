//! `initialize`: the handshake of the legacy era. Nothing of it is remembered: the next request may come to
//! another node.

use serde::Serialize;
use serde_json::value::RawValue;

use super::instructions;
use crate::context::Context;
use crate::envelope::text;
use crate::era::LEGACY;
use crate::offer::Offered;
use crate::params::Params;
use crate::rpc::{Reply, RpcError, ServerInfo, success};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    protocol_version: &'a str,
    capabilities: Offered,
    server_info: &'a ServerInfo,
    instructions: String,
}

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let result = Initialized {
        protocol_version: negotiated(params.protocol_version.and_then(text).as_deref()),
        capabilities: context.listing.capabilities.offered(context.era),
        server_info: &context.listing.server,
        instructions: instructions::text(context).await?,
    };
    instructions::note_client(context, params).await;
    Ok(success(context.era, &context.listing.server, id, &result))
}

/// The version that was asked for, or the latest of the era.
fn negotiated(requested: Option<&str>) -> &'static str {
    LEGACY.into_iter().find(|version| requested == Some(version)).unwrap_or(LEGACY[0])
}
