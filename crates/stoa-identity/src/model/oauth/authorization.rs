//! An authorization request that was checked.

use stoa_base::InstallationId;

use super::answer::Redirection;
use super::client::OAuthClient;
use super::error::ErrorCode;
use super::profile::MountProfile;
use super::redirect_uri::RedirectUri;
use crate::{Reach, Scopes};

/// An authorization request (RFC 6749 section 4.1.1) whose client and redirect URI are known and whose
/// parameters are sound. Nothing is written down yet: whoever is not signed in signs in first.
#[derive(Clone, Debug)]
pub struct Authorization {
    pub(crate) client: OAuthClient,
    pub(crate) redirect_uri: RedirectUri,
    pub(crate) state: Option<String>,
    pub(crate) challenge: String,
    pub(crate) scopes: Scopes,
    pub(crate) prompt: Prompt,
}

/// Whether a person may or must be asked (OpenID Connect Core section 3.1.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prompt {
    /// As needed.
    #[default]
    AsNeeded,
    /// Nobody may be asked anything.
    Never,
    /// The person must sign in again, and say yes.
    SignIn,
    /// The person must say yes.
    Consent,
}

impl Authorization {
    /// Whether a person may or must be asked.
    #[must_use]
    pub const fn prompt(&self) -> Prompt {
        self.prompt
    }

    /// The client that asks.
    #[must_use]
    pub const fn client(&self) -> &OAuthClient {
        &self.client
    }

    /// The answer that it can't be: such as [`ErrorCode::LoginRequired`] where nobody is signed in and nobody may
    /// be asked.
    #[must_use]
    pub fn refuse(&self, profile: &MountProfile, code: ErrorCode, description: &str) -> Redirection {
        Redirection::error(profile, &self.redirect_uri, self.state.as_deref(), code, description)
    }
}

/// What a consent page shows, and what it is filled in with.
#[derive(Clone, Debug)]
pub struct ConsentPage {
    /// The client.
    pub client: OAuthClient,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    /// What was asked for: a box each.
    pub scopes: Scopes,
    /// Boxes that can't be unticked.
    pub required: Scopes,
    /// What the same person last granted the same client here; `None`: nothing yet.
    pub before: Option<Before>,
    /// Installations of the same client and person here that this one may go on as, the last used first.
    pub earlier: Vec<Earlier>,
    /// The one to be selected: where there is exactly one without live tokens.
    pub preselected: Option<InstallationId>,
}

/// An earlier consent, to fill in the boxes with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// What was ticked.
    pub scopes: Scopes,
    /// How far it went.
    pub reach: Reach,
    /// How many runs an hour.
    pub run_budget: Option<u32>,
}

/// An installation that may be gone on as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Its id.
    pub id: InstallationId,
    /// What its person calls it.
    pub label: String,
    /// Whether it still has tokens that are good.
    pub is_live: bool,
}

/// What a person decided on a consent page.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What was ticked: of what was asked, no more.
    pub scopes: Scopes,
    /// How far it goes. That it holds nothing which the person can't reach, the services see to at each call.
    pub reach: Reach,
    /// How many runs it may start in an hour; `None`: as configured.
    pub run_budget: Option<u32>,
    /// What the person calls it; kept as one line of at most 100 characters.
    pub label: String,
    /// The earlier installation that it goes on as; `None`: a new one.
    pub continue_as: Option<InstallationId>,
}
