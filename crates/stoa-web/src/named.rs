//! What a path names.

use std::convert::Infallible;
use std::str::FromStr;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

/// The id in a path (`{id}`). `None`: what stands there can't be one, and is answered as an id of nothing.
#[derive(Clone, Copy, Debug)]
pub struct Named<T>(pub Option<T>);

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for Named<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let id = param(parts, state, "id").await.ok().flatten();
        Ok(Self(id.and_then(|id| id.parse().ok())))
    }
}

/// What stands in the path where its pattern has `{name}`.
///
/// # Errors
/// [`RawPathParamsRejection`] where it can't be read.
pub(crate) async fn param<S: Send + Sync>(
    parts: &mut Parts,
    state: &S,
    name: &str,
) -> Result<Option<String>, RawPathParamsRejection> {
    let params = RawPathParams::from_request_parts(parts, state).await?;
    Ok(params.iter().find(|(param, _)| *param == name).map(|(_, value)| value.to_owned()))
}
