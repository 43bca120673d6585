//! Passkeys (WebAuthn level 3): two factors in one.
//!
//! A ceremony has two halves, with the browser's part in between. What the server must remember is in the table
//! `ceremony`, good for five minutes and once, and found only with the secret that the browser got as a cookie when
//! it began: an answer is worth nothing in another browser.

mod list;
mod register;
mod relying_party;
mod remove;
mod rename;
mod sign_in;

pub use list::list;
pub use register::{RegisterError, finish_registration, start_registration};
pub use relying_party::RelyingParty;
pub use remove::{RemovePasskeyError, remove};
pub use rename::rename;
pub use sign_in::{finish_sign_in, start_sign_in};

use std::time::Duration;

use serde_json::Value;
use stoa_base::Timestamp;

use crate::SecretToken;

/// How long a ceremony may take.
const CEREMONY: Duration = Duration::from_mins(5);
/// The longest name, in characters.
const LONGEST_NAME: usize = 100;

/// The first half of a ceremony.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// What the cookie holds that binds the ceremony to this browser.
    pub secret: SecretToken,
    /// From when it is refused, and so the cookie's end.
    pub expires_at: Timestamp,
    /// `{"publicKey": …}`, as `PublicKeyCredential.parseCreationOptionsFromJSON` and `…parseRequestOptionsFromJSON`
    /// read what is inside. How the browser asks (`mediation`) is the page's choice.
    pub options: Value,
}
