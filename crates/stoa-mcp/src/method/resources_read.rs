//! `resources/read`. A resource that nobody has, one outside the grant and one out of reach are answered alike.

use serde::Serialize;
use serde_json::Map;
use serde_json::value::RawValue;

use super::named_resource::{self, NOT_FOUND, Named};
use crate::conduct;
use crate::context::Context;
use crate::meter::Meter;
use crate::page::Caching;
use crate::params::Params;
use crate::rounds::{self, Origin, Round};
use crate::rpc::{Reply, RpcError, success, success_of};
use crate::{Contents, Inputs, Method, ToolError};

const METHOD: &str = Method::ResourcesRead.as_str();

#[derive(Serialize)]
struct Read {
    contents: Contents,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let named = named_resource::admit(context, METHOD, params).await?;
    let (installation, nothing) = (context.caller.installation, Map::new());
    let origin = Origin { installation, method: METHOD, name: &named.uri, arguments: &nothing };
    let inputs = rounds::inputs(context, &named.act, &origin, params).await?;
    let read = read(context, &named, &origin, inputs).await;
    let (era, server) = (context.era, &context.listing.server);
    Ok(match read.map_err(|error| rpc_error(context, &named.uri, error))? {
        Round::Asks(asked) => success_of("input_required", era, server, id, &asked),
        Round::Ready(contents) => {
            let caching = Caching::private(era, named.resources.spec().ttl_ms);
            success(era, server, id, &Read { contents, caching })
        }
    })
}

async fn read(
    context: &Context,
    named: &Named<'_>,
    origin: &Origin<'_>,
    inputs: Inputs,
) -> Result<Round<Contents>, ToolError> {
    let call = conduct::quiet_call(context, &named.act, Map::new(), inputs);
    let work = async {
        conduct::count(context, named.service)?;
        let read = named.resources.read(named.uri.clone(), call).await?;
        let read = read.ok_or_else(|| ToolError::failed(NOT_FOUND, "There is no such resource."))?;
        rounds::end(context, origin, read)
    };
    let meter = Meter::new(named.service.name, METHOD);
    conduct::conduct(context, named.service, &named.act, &meter, work).await
}

fn rpc_error(context: &Context, uri: &str, error: ToolError) -> RpcError {
    match error {
        ToolError::Refused { code: NOT_FOUND, .. } => named_resource::not_found(context.era, uri),
        error => conduct::rpc_error(context, error),
    }
}
