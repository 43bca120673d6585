//! Where the outside world finds this Stoa, for every front door that speaks HTTP.
//!
//! [`mount`] says which URL is what, from the configuration only; [`connect`] how agents are told of it; [`host`] which
//! hosts and pages may ask; [`address`] where a request comes from, [`buckets`] how much may come; [`single`] reads headers that may come once only.

pub mod address;
pub mod buckets;
pub mod connect;
pub mod host;
pub mod mount;
pub mod single;

use http::{HeaderName, StatusCode};

pub use address::Network;
pub use host::Hosts;
pub use mount::{ALL, AT, Mount, MountTable, OAuthPaths, Origin, OwnHost, Site, SiteError};

/// Why a request is none that may be answered here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// `Host` is none of ours.
    #[error("This server does not answer for that host: use its public URL.")]
    ForeignHost,
    /// `Origin` is none of ours.
    #[error("Pages of other origins may not call this server.")]
    ForeignOrigin,
    /// A header came twice or holds what no header may.
    #[error("Send the header {0} once, in visible ASCII.")]
    BadHeader(HeaderName),
}

impl Unfit {
    /// The HTTP status that says so.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::ForeignHost | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::BadHeader(_) => StatusCode::BAD_REQUEST,
        }
    }

    /// The word for it in bodies.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ForeignHost => "foreign_host",
            Self::ForeignOrigin => "foreign_origin",
            Self::BadHeader(_) => "bad_header",
        }
    }
}
