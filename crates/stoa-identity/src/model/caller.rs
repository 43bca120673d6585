//! Who makes a call.

use stoa_base::{AccountId, InstallationId, WorkspaceId};
use stoa_store::audit::Credential;

use crate::{ClientInfo, MountId, Reach, Role, Scopes};

/// Who makes a call and what they hold, as it was within the last second. Made by
/// [`crate::Authenticator::authenticate`] from a token.
///
/// What the caller may do is never read from here directly: operations ask [`crate::authorize`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The tenant: no look-up leaves it.
    pub workspace: WorkspaceId,
    /// The person.
    pub account: AccountId,
    /// What the person is in the workspace now.
    pub role: Role,
    /// The authorization in use: what budgets, limits and idempotency keys count by.
    pub installation: InstallationId,
    /// What the person calls that authorization.
    pub label: String,
    /// What the installation's client last said it is; only the handshake and 2026-07-28 tell.
    pub client: Option<ClientInfo>,
    /// Where the token is good, which is where it was shown.
    pub mount: MountId,
    /// What was granted.
    pub scopes: Scopes,
    /// How far the grant goes.
    pub reach: Reach,
    /// How many runs the installation may start in an hour; `None`: as configured.
    pub run_budget: Option<u32>,
    /// What kind of token was shown, for the audit.
    pub credential: Credential,
}
