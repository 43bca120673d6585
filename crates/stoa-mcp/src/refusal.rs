//! What is refused before there is a JSON-RPC request to answer: plain HTTP, with a JSON body that says what
//! to do.

use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use stoa_site::Unfit;

use crate::incident;

/// Why a request got no further.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Nothing lives at this path.
    NotFound,
    /// Asked for under another name, from another page, or with headers that no client may send.
    Unfit(Unfit),
    /// No token, or none that is good here.
    Unauthorized(Challenge),
    /// Another method than POST.
    MethodNotAllowed,
    /// Too many requests, or too many failed tokens.
    Flood {
        /// Whole seconds to wait.
        retry_after: u64,
    },
    /// The body is larger than is read.
    TooLarge,
    /// The body did not arrive in time, or the connection broke.
    Incomplete,
    /// The body is no JSON.
    MediaType,
    /// The node is stopping.
    Stopping,
    /// Our fault; the log has the cause under this id.
    Internal(String),
}

/// What a client is told of how to sign in (RFC 6750 section 3, RFC 9728 section 5.1).
#[derive(Debug)]
pub(crate) struct Challenge {
    /// Where the protected-resource metadata is.
    pub metadata_url: String,
    /// Every scope of the mount, separated by spaces.
    pub scopes: String,
    /// The mount's name on the command line.
    pub mount: &'static str,
    /// Whether a token was sent, and is not good here.
    pub token_sent: bool,
}

impl From<Unfit> for Refusal {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    message: &'a str,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Unfit(unfit) => unfit.status(),
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Flood { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Incomplete => StatusCode::REQUEST_TIMEOUT,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Unfit(unfit) => unfit.code(),
            Self::Unauthorized(challenge) if challenge.token_sent => "invalid_token",
            Self::Unauthorized(_) => "unauthorized",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Flood { .. } => "too_many_requests",
            Self::TooLarge => "too_large",
            Self::Incomplete => "incomplete",
            Self::MediaType => "unsupported_media_type",
            Self::Stopping => "stopping",
            Self::Internal(_) => "internal",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::NotFound => "Nothing lives at this path.".to_owned(),
            Self::Unfit(unfit) => unfit.to_string(),
            Self::Unauthorized(challenge) => challenge.message(),
            Self::MethodNotAllowed => {
                "Send JSON-RPC by POST; there are no sessions and no stream to open.".to_owned()
            }
            Self::Flood { retry_after } => format!("Too many requests: wait {retry_after} s."),
            Self::TooLarge => "The body is over 4 MB.".to_owned(),
            Self::Incomplete => "The body did not arrive whole and in time.".to_owned(),
            Self::MediaType => "Send Content-Type: application/json.".to_owned(),
            Self::Stopping => "This node is stopping: try again.".to_owned(),
            Self::Internal(incident) => incident::sentence(incident),
        }
    }

    fn header(&self) -> Option<(HeaderName, String)> {
        match self {
            Self::Unauthorized(challenge) => Some((WWW_AUTHENTICATE, challenge.header())),
            Self::MethodNotAllowed => Some((ALLOW, "POST".to_owned())),
            Self::Flood { retry_after } => Some((RETRY_AFTER, retry_after.to_string())),
            Self::Stopping => Some((RETRY_AFTER, "1".to_owned())),
            _ => None,
        }
    }
}

impl Challenge {
    fn header(&self) -> String {
        let error = if self.token_sent { "error=\"invalid_token\", " } else { "" };
        format!("Bearer {error}resource_metadata=\"{}\", scope=\"{}\"", self.metadata_url, self.scopes)
    }

    fn message(&self) -> String {
        let what = if self.token_sent {
            "This token is not good here (unknown, ended, or of another mount)"
        } else {
            "No token was sent"
        };
        format!(
            "{what}. Send the header `Authorization: Bearer TOKEN`. Whoever runs this server makes a token with: \
             stoa token add --account EMAIL --mount {}",
            self.mount
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json(&Body { error: self.code(), message: &self.message() });
        let mut response = (self.status(), [(CACHE_CONTROL, "no-store")], body).into_response();
        if let Some((name, value)) = self.header()
            && let Ok(value) = HeaderValue::from_str(&value)
        {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// A JSON body with its content type.
pub(crate) fn json(body: &impl Serialize) -> ([(HeaderName, &'static str); 1], Vec<u8>) {
    ([(CONTENT_TYPE, "application/json")], serde_json::to_vec(body).unwrap_or_default())
}
