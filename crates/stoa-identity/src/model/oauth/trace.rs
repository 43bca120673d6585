//! What the server saw of a client, for the person who wonders why it does not connect.

use serde::Serialize;
use stoa_base::{Id, InstallationId, Timestamp};
use stoa_store::audit::AddressClass;

/// Marks the ids of traces.
#[derive(Debug)]
pub enum TraceRow {}

/// The id of a trace.
pub type TraceId = Id<TraceRow>;

/// What a client was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// It read metadata.
    Discovery,
    /// It registered.
    Registration,
    /// It sent a person to the authorization endpoint.
    Authorization,
    /// The person decided.
    Consent,
    /// It redeemed a code.
    Token,
    /// It used a refresh token.
    Refresh,
    /// It revoked a token.
    Revocation,
    /// It called the endpoint.
    Call,
}

impl Step {
    /// Each of them.
    const ALL: [Self; 8] = [
        Self::Discovery,
        Self::Registration,
        Self::Authorization,
        Self::Consent,
        Self::Token,
        Self::Refresh,
        Self::Revocation,
        Self::Call,
    ];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Registration => "registration",
            Self::Authorization => "authorization",
            Self::Consent => "consent",
            Self::Token => "token",
            Self::Refresh => "refresh",
            Self::Revocation => "revocation",
            Self::Call => "call",
        }
    }

    /// The step with this word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.as_str() == word)
    }
}

/// One request, to be noted.
#[derive(Clone, Debug)]
pub struct Sighting<'a> {
    /// What it was about.
    pub step: Step,
    /// The `client_id` that it named, or the name that it registered under.
    pub client: Option<&'a str>,
    /// The installation, where one is known.
    pub installation: Option<InstallationId>,
    /// Why it was refused, as a code; `None`: it was not.
    pub code: Option<&'a str>,
}

/// One request, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// Its id.
    pub id: TraceId,
    /// The service of the mount that was asked, or `all`.
    pub service: String,
    /// What it was about.
    pub step: Step,
    /// What the request called its client, cut and cleaned.
    pub client: Option<String>,
    /// Its `User-Agent`, likewise.
    pub agent: Option<String>,
    /// The installation, where one was known.
    pub installation: Option<InstallationId>,
    /// Why it was refused; `None`: it was not.
    pub code: Option<String>,
    /// What kind of address it came from.
    pub address: AddressClass,
    /// When.
    pub at: Timestamp,
}
