//! A link that is good once.

use stoa_base::Timestamp;

use crate::SecretToken;

/// A link that was just made. Its address is the page's, with the secret as the fragment (`/setup#SECRET`): what
/// stands behind `#` is sent to no server, so it is in no log of a proxy and in no `Referer`; the page's script
/// posts it.
#[derive(Clone, Debug)]
pub struct OneTimeLink {
    /// Its secret, which can't be had again.
    pub secret: SecretToken,
    /// From when it is refused.
    pub expires_at: Timestamp,
}
