//! The fixture resources.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use serde_json::json;
use stoa_identity::Caller;
use stoa_mcp::{
    Body, Call, Contents, Given, Mark, Resource, ResourcePage, ResourceTemplate, Resources, ResourcesSpec,
    ToolError,
};

use crate::SCOPE;
use crate::content::{contents, pixel};

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";
/// How often the watched resource changes.
const CHANGES_EVERY: Duration = Duration::from_millis(200);

pub struct Fixtures(ResourcesSpec);

impl Fixtures {
    pub fn new() -> Self {
        let template = ResourceTemplate {
            uri_template: "test://template/{id}/data",
            name: "template",
            title: "A template",
            description: "Data for an id.",
            mime_type: Some("application/json"),
        };
        Self(ResourcesSpec {
            prefix: "test://",
            scope: SCOPE,
            templates: vec![template],
            mark: Mark::Keep,
            ttl_ms: 60_000,
            watchable: true,
            completes: false,
        })
    }
}

impl Resources for Fixtures {
    fn spec(&self) -> &ResourcesSpec {
        &self.0
    }

    fn list(
        &self,
        _caller: Arc<Caller>,
        _cursor: Option<String>,
    ) -> BoxFuture<'static, Result<ResourcePage, ToolError>> {
        let listed = |uri: &str, mime_type: &str| Resource {
            uri: uri.to_owned(),
            name: uri.trim_start_matches("test://").to_owned(),
            description: Some("A resource for tests.".to_owned()),
            mime_type: Some(mime_type.to_owned()),
        };
        let resources =
            vec![listed(TEXT, "text/plain"), listed(BINARY, "image/png"), listed(WATCHED, "text/plain")];
        async { Ok(ResourcePage { resources, next: None }) }.boxed()
    }

    fn read(
        &self,
        uri: String,
        _call: Call,
    ) -> BoxFuture<'static, Result<Option<Given<Contents>>, ToolError>> {
        async move { Ok(read(&uri).map(|(mime, body)| Given::Ready(vec![contents(&uri, mime, body)]))) }
            .boxed()
    }

    fn changes(
        &self,
        uri: String,
        _caller: Arc<Caller>,
    ) -> BoxFuture<'static, Result<Option<BoxStream<'static, ()>>, ToolError>> {
        let watched =
            (uri == WATCHED).then(|| stream::repeat(()).then(|()| tokio::time::sleep(CHANGES_EVERY)));
        async { Ok(watched.map(StreamExt::boxed)) }.boxed()
    }
}

fn read(uri: &str) -> Option<(&'static str, Body)> {
    let text = |text: &str| Body::Text(text.to_owned());
    match uri {
        TEXT => Some(("text/plain", text("This is the content of the static text resource."))),
        BINARY => Some(("image/png", Body::Blob(pixel()))),
        WATCHED => Some(("text/plain", text("This changes all the time."))),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            Some(("application/json", Body::Text(data.to_string())))
        }
    }
}
