//! Resources: what of a service clients can put before their model by its URI.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use serde::Serialize;
use stoa_identity::Caller;
use stoa_store::audit::Mark;

use crate::{Call, Given, ResourceContents, ToolError};

/// The resources of one service.
pub trait Resources: Send + Sync {
    /// What clients are told of them; the same at every call.
    fn spec(&self) -> &ResourcesSpec;

    /// One page of those that are worth listing for this caller, from `cursor` on, which an earlier page gave. The
    /// endpoint seals cursors: what comes back is what was given out, to the same installation.
    ///
    /// # Errors
    /// [`ToolError::Refused`] where the caller may see none at all, [`ToolError::Internal`] for a fault of ours.
    fn list(
        &self,
        caller: Arc<Caller>,
        cursor: Option<String>,
    ) -> BoxFuture<'static, Result<ResourcePage, ToolError>>;

    /// What is in the resource; `None` where it is unknown or foreign to this caller. `uri` begins as
    /// [`ResourcesSpec::prefix`] says.
    ///
    /// # Errors
    /// [`ToolError::Refused`] where it is there and can't be read, [`ToolError::ClientLacks`] where it takes another
    /// client, and [`ToolError::Internal`] for a fault of ours.
    fn read(&self, uri: String, call: Call)
    -> BoxFuture<'static, Result<Option<Given<Contents>>, ToolError>>;

    /// A stream with an item for each time the resource may have changed, woken by a topic of
    /// [`stoa_store::Wakeups`]; `None` where it is unknown or foreign to this caller, or nothing tells of its
    /// changes. Dropped when nobody listens any more. Only asked where [`ResourcesSpec::watchable`].
    ///
    /// # Errors
    /// [`ToolError::Refused`] where it can't be watched now, [`ToolError::Internal`] for a fault of ours.
    fn changes(
        &self,
        _uri: String,
        _caller: Arc<Caller>,
    ) -> BoxFuture<'static, Result<Option<BoxStream<'static, ()>>, ToolError>> {
        async { Ok(None) }.boxed()
    }

    /// What `typed` may become as a value of `argument` in the template, the likeliest first. Only asked where
    /// [`ResourcesSpec::completes`].
    ///
    /// # Errors
    /// [`ToolError::Internal`] for a fault of ours. That nothing fits is an empty list.
    fn complete(
        &self,
        _caller: Arc<Caller>,
        _argument: String,
        _typed: String,
    ) -> BoxFuture<'static, Result<Vec<String>, ToolError>> {
        async { Ok(Vec::new()) }.boxed()
    }
}

/// What is in a resource, in one piece or several.
pub type Contents = Vec<ResourceContents>;

/// What the resources of a service have in common.
#[derive(Clone, Debug)]
pub struct ResourcesSpec {
    /// How all their URIs begin, and those of no other service: `stoa:things/`.
    pub prefix: &'static str,
    /// The scope a grant must hold.
    pub scope: &'static str,
    /// Families of URIs, in the order in which clients see them.
    pub templates: Vec<ResourceTemplate>,
    /// What the audit keeps of a URI.
    pub mark: Mark,
    /// How long a client may keep what it read, in milliseconds.
    pub ttl_ms: u32,
    /// Whether clients can be told of changes.
    pub watchable: bool,
    /// Whether it helps with typing what a template leaves open.
    pub completes: bool,
}

/// A family of resources (MCP, Resources, Resource Templates).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The URI with what it leaves open (RFC 6570): `stoa:things/thing/{id}`.
    pub uri_template: &'static str,
    /// Its name, for programs.
    pub name: &'static str,
    /// Its name, for people.
    pub title: &'static str,
    /// What they are.
    pub description: &'static str,
    /// The media type that all of them have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<&'static str>,
}

/// One resource in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Where it is read.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type of what is read there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// One page of resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourcePage {
    /// They.
    pub resources: Vec<Resource>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<String>,
}
