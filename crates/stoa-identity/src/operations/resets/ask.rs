//! Asking for a reset link, as whoever has lost their password does: anybody may, so nobody is told what comes of it.

use std::time::Duration;

use stoa_store::StoreError;
use stoa_store::audit::Act;

use super::{Reset, issue};
use crate::operations::throttle::{self, Limit, TryAfter};
use crate::{Door, Email, OneTimeLink, Visit};

/// Why there is no link.
#[derive(Debug, thiserror::Error)]
pub enum AskResetError {
    /// Too much was asked for.
    #[error("too many reset links were asked for: try again in {} s", .after.as_secs() + 1)]
    TooMany {
        /// When to come again.
        after: Duration,
    },
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TryAfter> for AskResetError {
    fn from(TryAfter(after): TryAfter) -> Self {
        Self::TooMany { after }
    }
}

/// Counts that somebody asks, for whichever address: as much as is done before the answer, and the same for all.
///
/// # Errors
/// [`AskResetError`]; [`ask`] is not to be called then.
pub async fn may_ask(door: &Door, visit: &Visit) -> Result<(), AskResetError> {
    throttle::admit(door, &[Limit::reset_askers(visit)]).await??;
    Ok(())
}

/// Makes the link for whoever has this address, to be mailed there and shown to nobody. `None`, and nothing noted, if
/// there is no account, or it is disabled; it is counted all the same.
///
/// # Errors
/// [`AskResetError`]; there is no link then, and the one before it is as good as it was.
pub async fn ask(door: &Door, act: &Act, email: &Email) -> Result<Option<OneTimeLink>, AskResetError> {
    throttle::admit(door, &[Limit::resets(email)]).await??;
    Ok(issue(&door.db, &door.ambient, act, email, Reset::Password).await?)
}
