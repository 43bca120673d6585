//! The words for what went wrong.

/// The error codes of OAuth that Stoa answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// RFC 6749: a parameter is missing, repeated or malformed.
    InvalidRequest,
    /// RFC 6749 section 5.2: the client is not known here.
    InvalidClient,
    /// RFC 6749 section 5.2: the code or the refresh token is not good, for whichever reason.
    InvalidGrant,
    /// RFC 6749 section 5.2.
    UnsupportedGrantType,
    /// RFC 6749 section 4.1.2.1.
    UnsupportedResponseType,
    /// RFC 6749: more than may be had.
    InvalidScope,
    /// RFC 8707 section 2: tokens for that resource are not given here.
    InvalidTarget,
    /// RFC 6749 section 4.1.2.1: the person said no, or may not say yes.
    AccessDenied,
    /// OpenID Connect Core section 3.1.2.6: nobody is signed in, and nobody may be asked to.
    LoginRequired,
    /// OpenID Connect Core section 3.1.2.6: a person would have to say yes, and nobody may be asked.
    ConsentRequired,
    /// RFC 6749 section 4.1.2.1: a fault of ours.
    ServerError,
    /// Too much at once; later again.
    TemporarilyUnavailable,
}

impl ErrorCode {
    /// As it is sent.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AccessDenied => "access_denied",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}
