//! What a page is to the router: a path, who may use it, and what answers.

use std::fmt;

use axum::routing::MethodRouter;

use crate::web::Web;

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// A page for everybody.
    Open,
    /// A page of a person who is signed in.
    Person,
    /// What a page of a person's sends.
    PersonForm,
    /// A page of a workspace, for who belongs to it.
    Member,
    /// What a page of a workspace sends.
    MemberForm,
    /// What a program sends to an authorization server.
    Program,
}

/// A route.
#[derive(Clone)]
pub struct Route {
    /// Its path, as axum's pattern, under the base of its workspace, mount or service.
    pub path: String,
    /// Who may use it.
    pub kind: RouteKind,
    /// What answers.
    pub methods: MethodRouter<Web>,
}

impl Route {
    /// A route at this path.
    pub fn new(path: impl Into<String>, kind: RouteKind, methods: MethodRouter<Web>) -> Self {
        Self { path: path.into(), kind, methods }
    }

    /// The same under a base.
    #[must_use]
    pub(crate) fn under(mut self, base: &str) -> Self {
        self.path.insert_str(0, base);
        self
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route").field("path", &self.path).field("kind", &self.kind).finish_non_exhaustive()
    }
}
