//! An identity elsewhere that an account is linked to.

use serde::Serialize;
use stoa_base::Timestamp;

/// Who a person is at an OpenID provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OidcLink {
    /// The provider's issuer identifier.
    pub issuer: String,
    /// What the person is called there.
    pub subject: String,
    /// When it was linked.
    pub created_at: Timestamp,
    /// When somebody last signed in with it.
    pub last_used_at: Timestamp,
}
