//! A person.

use serde::Serialize;
use stoa_base::{AccountId, Timestamp};

use crate::Email;

/// A person, as the commands and pages show one. Never the hash of the password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The address that names it.
    pub email: Email,
    /// When it was added.
    pub created_at: Timestamp,
    /// Since when it may do nothing.
    pub disabled_at: Option<Timestamp>,
}
