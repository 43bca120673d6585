//! Changing a password.

use std::time::Duration;

use stoa_store::StoreError;
use stoa_store::audit::Act;

use super::verify;
use crate::operations::throttle::{self, Limit, TryAfter};
use crate::{Door, HashingFailed, NotAPassword, NotFresh, Password, PasswordHash, SignedIn, Visit, store};

/// Why a password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    /// The current password is another.
    #[error("this is not your current password")]
    WrongPassword,
    /// Too much was tried.
    #[error("too many attempts: try again in {} s", .after.as_secs() + 1)]
    TooMany {
        /// When to come again.
        after: Duration,
    },
    /// There is no current password that could be asked for, and the sign-in was long ago.
    #[error(transparent)]
    NotFresh(#[from] NotFresh),
    /// The new one is no good.
    #[error(transparent)]
    Password(#[from] NotAPassword),
    /// It could not be hashed.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TryAfter> for ChangePasswordError {
    fn from(TryAfter(after): TryAfter) -> Self {
        Self::TooMany { after }
    }
}

/// Gives the person a new password, and ends their other sessions. Asks for the current one; who has none must have
/// signed in lately.
///
/// # Errors
/// [`ChangePasswordError`]; the password stays then.
pub async fn change(
    door: &Door,
    act: &Act,
    who: &SignedIn,
    current: &str,
    new: &str,
    visit: &Visit,
) -> Result<(), ChangePasswordError> {
    let new = Password::chosen(new, &who.email)?;
    let tried = Limit::passwords(&who.email, visit);
    let stored = store::account::password(&door.db, &who.email).await?.and_then(|(_, hash)| hash);
    match &stored {
        None => who.must_be_fresh(door)?,
        Some(hash) => {
            throttle::admit(door, &[tried.as_slice(), &[Limit::failures(visit)]].concat()).await??;
            if !verify(Some(hash), current).await? {
                return Err(ChangePasswordError::WrongPassword);
            }
        }
    }
    let hash = PasswordHash::of(new, &door.ambient).await?;
    let mut tx = door.db.begin().await?;
    let held = store::account::hold(&mut tx, who.account).await?;
    if held.is_none_or(|held| held.password != stored) {
        return Err(ChangePasswordError::WrongPassword);
    }
    store::account::set_password(&mut tx, who.account, Some(&hash)).await?;
    store::session::end_others(&mut tx, who.account, who.session).await?;
    store::link::delete_of(&mut tx, who.account).await?;
    throttle::succeeded(&mut tx, &tried, visit).await?;
    act.commit(tx).await?;
    Ok(())
}
