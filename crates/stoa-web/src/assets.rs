//! The sheet and the scripts of the pages: in the binary, under names that change with them, so that browsers may
//! keep them for good.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

/// One file.
pub(crate) struct Asset {
    /// Its path on the public host.
    pub path: String,
    body: &'static str,
    kind: &'static str,
}

pub(crate) static CSS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("stoa", "css", include_str!("../assets/stoa.css"), "text/css; charset=utf-8")
});
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("stoa", "js", include_str!("../assets/stoa.js"), "text/javascript; charset=utf-8")
});
/// On the pages that have something to do with passkeys.
pub(crate) static PASSKEYS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("passkeys", "js", include_str!("../assets/passkeys.js"), "text/javascript; charset=utf-8")
});

impl Asset {
    fn new(name: &str, ending: &str, body: &'static str, kind: &'static str) -> Self {
        let hash = blake3::hash(body.as_bytes()).to_hex();
        Self { path: format!("/assets/{name}-{}.{ending}", &hash[..16]), body, kind }
    }
}

/// `GET /assets/{name}`.
pub(crate) async fn serve(Path(name): Path<String>) -> Response {
    let path = format!("/assets/{name}");
    let Some(asset) = [&*CSS, &*SCRIPT, &*PASSKEYS].into_iter().find(|asset| asset.path == path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, asset.body).into_response()
}
