//! One authorization of one client by one person.

use serde::Serialize;
use stoa_base::{AccountId, InstallationId, Timestamp};

use crate::{MountId, Reach, Scopes};

/// An installation: what tokens, budgets, limits and idempotency keys belong to. Two clients of one person
/// are two installations; a personal token is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Installation {
    /// Its id.
    pub id: InstallationId,
    /// The person whose rights it uses.
    pub account: AccountId,
    /// Where it is good.
    pub mount: MountId,
    /// What it may do there.
    pub grant: Grant,
    /// What its person calls it.
    pub label: String,
    /// The client as it last named itself.
    pub client: Option<ClientInfo>,
    /// When it was authorized.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
}

/// What an installation may do, as far as its person still may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grant {
    /// In words.
    pub scopes: Scopes,
    /// How far.
    pub reach: Reach,
    /// How many runs it may start in an hour; `None`: as configured.
    pub run_budget: Option<u32>,
}

/// What a client says it is (`clientInfo` in MCP). Nobody checked it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientInfo {
    /// Such as `claude-code`.
    pub name: String,
    /// Such as `2.1.0`.
    pub version: String,
}
