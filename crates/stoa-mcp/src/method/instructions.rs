//! What both ways of beginning share: the instructions, and remembering who it was.

use stoa_base::text::clip_bytes;
use stoa_identity::{ClientInfo, installations};

use crate::context::Context;
use crate::envelope;
use crate::incident;
use crate::manifest::LONGEST_TEXT;
use crate::params::Params;
use crate::rpc::RpcError;

/// The instructions of each service that the caller has something of. Clients cut silently at 2,048 bytes:
/// better we cut than they.
pub(super) async fn text(context: &Context) -> Result<String, RpcError> {
    let mut texts = Vec::new();
    for service in context.listing.opened(&context.caller) {
        let text = incident::caught(service.instructions.text(&context.caller)).await;
        texts.push(
            text.map_err(|panicked| fault(context, &panicked))?.map_err(|error| fault(context, &error))?,
        );
    }
    Ok(clip_bytes(&texts.join("\n\n"), LONGEST_TEXT - 1).0.to_owned())
}

fn fault(context: &Context, error: &(dyn std::error::Error + 'static)) -> RpcError {
    RpcError::internal(&incident::noted(context.endpoint.ambient(), error))
}

/// Notes how the client of this installation names itself, for the list of agents. That it could not be noted
/// is no reason not to answer.
pub(super) async fn note_client(context: &Context, params: &Params<'_>) {
    let in_meta = params.meta.as_ref().and_then(|meta| meta.client_info.as_ref());
    let Some(info) = in_meta.or(params.client_info.as_ref()) else { return };
    let Some(name) = info.name.and_then(envelope::text) else { return };
    let version = info.version.and_then(envelope::text).unwrap_or_default();
    let client = ClientInfo { name: name.into_owned(), version: version.into_owned() };
    if let Err(error) = installations::note_client(context.endpoint.db(), &context.caller, &client).await {
        tracing::warn!(%error, "the client's name was not noted");
    }
}
