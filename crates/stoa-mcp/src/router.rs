//! The way of a request, from the outside in. Each step takes what the one before it made.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::request::Parts;
use http::{Method, StatusCode};
use stoa_identity::Caller;
use stoa_site::{Mount, address, host};

use crate::bearer::ShownToken;
use crate::context::{self, Context};
use crate::endpoint::Endpoint;
use crate::metadata::Metadata;
use crate::params::Params;
use crate::refusal::{self, Refusal};
use crate::rpc::{self, RpcError};
use crate::{bearer, body, envelope, era, method, respond};

/// What is served at a route of the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// JSON-RPC, for whoever has a token of the mount.
    Mcp,
    /// The well-known documents, for everybody.
    WellKnown,
}

/// Every route of the endpoint, as axum's patterns: `/mcp` under each mount's base, and the well-known
/// documents.
#[must_use]
pub fn routes(endpoint: &Endpoint) -> Vec<(String, RouteKind)> {
    let bases = endpoint.service_names().iter().map(|name| format!("/{name}"));
    let bases = std::iter::once(String::new()).chain(bases);
    let bases = bases.flat_map(|base| [base.clone(), format!("/w/{{workspace}}{base}")]);
    let routes = bases.flat_map(|base| {
        [
            (format!("{base}/mcp"), RouteKind::Mcp),
            (format!("{base}/.well-known/{{*document}}"), RouteKind::WellKnown),
        ]
    });
    routes.collect()
}

/// The router of all [`routes`]. To be merged with the other routers, not nested; served with connection info,
/// or no address is known.
pub fn router(endpoint: Endpoint) -> Router {
    let mut router = Router::new();
    for (path, kind) in routes(&endpoint) {
        router = match kind {
            RouteKind::Mcp => router.route(&path, any(serve)),
            RouteKind::WellKnown => router.route(&path, any(well_known)),
        };
    }
    router.with_state(endpoint)
}

async fn serve(State(endpoint): State<Endpoint>, request: Request) -> Response {
    // Taken before anything else, so that a stop waits for whoever got past its check.
    let _running = endpoint.running().token();
    let (parts, body) = request.into_parts();
    match gates(&endpoint, &parts).await {
        Ok((mount, shown)) => match body::read(&parts.headers, body).await {
            Ok(body) => dispatch(endpoint, &mount, shown, &parts, body).await,
            Err(refusal) => refusal.into_response(),
        },
        Err(refusal) => {
            body::drain(body).await;
            refusal.into_response()
        }
    }
}

/// Who was let in, and by what.
type Shown = (Arc<Caller>, ShownToken);

/// Mount, host and origin, bearer, flood limit. Only POST gets through; GET, HEAD and DELETE are what clients
/// probe with, so that they learn whether they are signed in.
async fn gates(endpoint: &Endpoint, parts: &Parts) -> Result<(Arc<Mount>, Shown), Refusal> {
    let authority = host::authority(&parts.uri, &parts.headers)?;
    let mount = endpoint.mounts().find(authority, parts.uri.path()).ok_or(Refusal::NotFound)?;
    endpoint.hosts().check(authority, &parts.headers)?;
    if ![Method::POST, Method::GET, Method::HEAD, Method::DELETE].contains(&parts.method) {
        return Err(Refusal::MethodNotAllowed);
    }
    let (caller, token) =
        bearer::caller(endpoint, &mount, &parts.headers, client_address(endpoint, parts)).await?;
    endpoint.flood().request(caller.installation)?;
    if parts.method != Method::POST {
        return Err(Refusal::MethodNotAllowed);
    }
    if endpoint.stopping().is_cancelled() {
        return Err(Refusal::Stopping);
    }
    Ok((mount, (caller, token)))
}

fn client_address(endpoint: &Endpoint, parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    address::of_client(peer, &parts.headers, &endpoint.config().trusted_proxies)
}

/// Parse, era, method.
async fn dispatch(endpoint: Endpoint, mount: &Mount, shown: Shown, parts: &Parts, body: Bytes) -> Response {
    let message = match envelope::parse(&body) {
        Ok(message) => message,
        Err(none) => return respond::json(rpc::failure(none.id, &none.error)),
    };
    // Notifications ask for no answer, and none of them changes anything here.
    let Some(id) = message.id else { return StatusCode::ACCEPTED.into_response() };
    match read(endpoint, mount, shown, parts, &message) {
        Ok((context, params)) => method::answer(context, id, &message.method, &params).await,
        Err(error) => respond::json(rpc::failure(Some(id), &error)),
    }
}

fn read<'a>(
    endpoint: Endpoint,
    mount: &Mount,
    (caller, token): Shown,
    parts: &Parts,
    message: &envelope::Message<'a>,
) -> Result<(Context, Params<'a>), RpcError> {
    let params = Params::read(message.params)?;
    let headers = &parts.headers;
    let era = era::tell(message, &params, headers)?;
    let listing = endpoint.listings().at(mount.service).cloned();
    let context = Context {
        listing: listing.ok_or_else(|| era.method_not_found(&message.method))?,
        client: context::client(&params, caller.client.as_ref(), headers),
        caller,
        era,
        capabilities: params.capabilities(),
        address: address::class(client_address(&endpoint, parts)),
        trace_id: context::trace_id(&params, headers),
        accepts_stream: context::accepts_stream(headers),
        token,
        endpoint,
    };
    Ok((context, params))
}

async fn well_known(State(endpoint): State<Endpoint>, request: Request) -> Response {
    let (parts, _body) = request.into_parts();
    document(&endpoint, &parts).unwrap_or_else(IntoResponse::into_response)
}

/// Protected-resource metadata; every other document is not there.
fn document(endpoint: &Endpoint, parts: &Parts) -> Result<Response, Refusal> {
    let authority = host::authority(&parts.uri, &parts.headers)?;
    endpoint.hosts().check(authority, &parts.headers)?;
    let mount = endpoint.mounts().find_metadata(authority, parts.uri.path()).ok_or(Refusal::NotFound)?;
    let listing = endpoint.listings().at(mount.service).ok_or(Refusal::NotFound)?;
    if ![Method::GET, Method::HEAD].contains(&parts.method) {
        return Err(Refusal::MethodNotAllowed);
    }
    let metadata = refusal::json(&Metadata::new(&mount, listing));
    Ok(([(CACHE_CONTROL, "max-age=300")], metadata).into_response())
}
