//! Reading a request's body: JSON, bounded in size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use stoa_site::single::single;

use crate::refusal::Refusal;

/// The largest body, in bytes.
pub(crate) const LARGEST: usize = 4 * 1024 * 1024;
/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);
/// The largest body of a refused request that is taken, in bytes.
const LARGEST_REFUSED: usize = 64 * 1024;
/// How long it may take to arrive.
const PATIENCE_REFUSED: Duration = Duration::from_secs(1);

/// The whole body.
pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let kind = single(headers, &CONTENT_TYPE)?.unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::MediaType);
    }
    match tokio::time::timeout(PATIENCE, Limited::new(body, LARGEST).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::TooLarge),
        Ok(Err(_)) | Err(_) => Err(Refusal::Incomplete),
    }
}

/// Takes the body of a request that is refused without it. After the answer the server closes a connection on which a
/// body was left, and a client that asks the next thing on it at once, as after a 401, would find it gone.
pub(crate) async fn drain(body: Body) {
    let whole = Limited::new(body, LARGEST_REFUSED).collect();
    // One that is too large, too slow or broken costs its connection.
    drop(tokio::time::timeout(PATIENCE_REFUSED, whole).await);
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::{StreamExt, stream};

    use super::*;

    #[tokio::test]
    async fn what_is_refused_is_taken_to_its_end() {
        let (arrived, mut seen) = tokio::sync::oneshot::channel();
        let first = stream::once(async { Ok::<_, Infallible>("{") });
        let last = stream::once(async move {
            tokio::task::yield_now().await;
            let _sent = arrived.send(());
            Ok("}")
        });
        drain(Body::from_stream(first.chain(last))).await;
        seen.try_recv().unwrap();
    }
}
