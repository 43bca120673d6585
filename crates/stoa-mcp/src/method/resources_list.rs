//! `resources/list`: what each service finds worth listing for this caller, in pages: one service after another.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, Noted, UNREADABLE};
use crate::context::Context;
use crate::meter::Meter;
use crate::page::{self, Caching};
use crate::params::Params;
use crate::rpc::{Reply, RpcError, success};
use crate::{Method, Resource, ResourcePage, Resources, Service};

const METHOD: &str = Method::ResourcesList.as_str();

/// Where a page begins: at which service, and at which place of its own.
type Place = (String, Option<String>);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    resources: Vec<Resource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(flatten)]
    caching: Option<Caching>,
}

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let place: Option<Place> = match page::place(context, METHOD, params) {
        Ok(place) => place,
        Err(error) => {
            let act = open(context, None);
            return Err(conduct::refuse(context, &act, (Status::Error, UNREADABLE), error).await);
        }
    };
    let visible: Vec<_> = context.listing.visible_resources(&context.caller).collect();
    // A service that is no longer visible ends the list.
    let at = place.as_ref().map_or(Some(0), |(name, _)| visible.iter().position(|it| it.0.name == name));
    let at = at.unwrap_or(visible.len());
    let page = match visible.get(at) {
        None => ResourcePage::default(),
        Some(found) => one_page(context, *found, place.and_then(|(_, inner)| inner)).await?,
    };
    let within = page.next.zip(visible.get(at)).map(|(inner, (service, _))| (service.name, Some(inner)));
    let next = within.or_else(|| visible.get(at + 1).map(|(service, _)| (service.name, None)));
    let result = Listed {
        resources: page.resources,
        next_cursor: next.map(|place| page::cursor(context, METHOD, &place)),
        caching: Caching::list(context.era),
    };
    Ok(success(context.era, &context.listing.server, id, &result))
}

fn open(context: &Context, scope: Option<&str>) -> Act {
    conduct::open(context, Noted { tool: Cow::Borrowed(METHOD), scope, arguments: json!({}) })
}

/// One service's own page, under audit.
async fn one_page(
    context: &Context,
    (service, resources): (&Arc<Service>, &Arc<dyn Resources>),
    cursor: Option<String>,
) -> Result<ResourcePage, RpcError> {
    let act = open(context, Some(resources.spec().scope));
    let work = async {
        conduct::count(context, service)?;
        resources.list(context.caller.clone(), cursor).await
    };
    let meter = Meter::new(service.name, METHOD);
    let page = conduct::conduct(context, service, &act, &meter, work).await;
    page.map_err(|error| conduct::rpc_error(context, error))
}
