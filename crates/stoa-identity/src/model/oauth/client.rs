//! A program that asks for a person's leave.

use serde::Serialize;
use stoa_base::{Id, Timestamp};
use url::Url;

use super::redirect_uri::RedirectUri;
use crate::MountId;

/// Marks the ids of clients' rows.
#[derive(Debug)]
pub enum OAuthClientRow {}

/// The id of a client's row. What the client calls itself by is its `client_id`.
pub type OAuthClientId = Id<OAuthClientRow>;

/// How a client came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// It registered itself (RFC 7591): anybody may, under any name.
    Registered,
    /// Its `client_id` is the URL of a document about it: whoever has that host speaks for it.
    Document,
    /// An operator named it.
    Configured,
}

impl ClientKind {
    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::Document => "document",
            Self::Configured => "configured",
        }
    }

    /// The kind with this word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        [Self::Registered, Self::Document, Self::Configured].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A client of one mount's authorization server. All are public: none has a secret.
#[derive(Clone, Debug)]
pub struct OAuthClient {
    /// Its row.
    pub id: OAuthClientId,
    /// Whose authorization server knows it.
    pub mount: MountId,
    /// How it came to be known.
    pub kind: ClientKind,
    /// What it calls itself by (RFC 6749 section 2.2).
    pub client_id: String,
    /// The name it gave itself, in one line. Nobody checked it.
    pub name: Option<String>,
    /// Where answers may go.
    pub redirect_uris: Vec<RedirectUri>,
    /// When it came to be known.
    pub created_at: Timestamp,
    /// When it was last asked about, to ten minutes.
    pub seen_at: Timestamp,
    /// When a person first connected it.
    pub granted_at: Option<Timestamp>,
    /// When its document was last read.
    pub fetched_at: Option<Timestamp>,
}

impl OAuthClient {
    /// The host that speaks for the client; only a document has one.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        let url = (self.kind == ClientKind::Document).then(|| Url::parse(&self.client_id).ok()).flatten();
        url.and_then(|url| url.host_str().map(str::to_owned))
    }

    /// Whether an answer may go there.
    #[must_use]
    pub fn admits(&self, redirect_uri: &RedirectUri) -> bool {
        self.redirect_uris.iter().any(|registered| registered.admits(redirect_uri))
    }
}
