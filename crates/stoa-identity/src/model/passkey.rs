//! A passkey.

use serde::Serialize;
use stoa_base::{Id, Timestamp};

/// Marks the ids of passkeys.
#[derive(Debug)]
pub enum PasskeyKind {}

/// The id of a passkey. It opens nothing.
pub type PasskeyId = Id<PasskeyKind>;

/// A passkey, as its person sees it in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PasskeyRecord {
    /// Its id.
    pub id: PasskeyId,
    /// What its person calls it.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When somebody last signed in with it.
    pub last_used_at: Option<Timestamp>,
}
