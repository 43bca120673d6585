//! Removing a passkey.

use stoa_store::audit::Act;
use stoa_store::{StoreError, Tx};

use crate::{Door, NotFresh, PasskeyId, SignedIn, store};

/// Why a passkey was not removed.
#[derive(Debug, thiserror::Error)]
pub enum RemovePasskeyError {
    /// The sign-in was long ago.
    #[error(transparent)]
    NotFresh(#[from] NotFresh),
    /// The person has no such passkey.
    #[error("there is no such passkey")]
    Missing,
    /// Without it the person could not sign in any more.
    #[error("this is your only way to sign in: add another passkey or a password first")]
    LastWay,
    /// Passkeys are the second factor, and it is the last one.
    #[error("this passkey is your second factor: remove the second factor first")]
    SecondFactor,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Removes one of the person's passkeys, but not what they sign in with last.
///
/// # Errors
/// [`RemovePasskeyError`]; it stays then.
pub async fn remove(door: &Door, act: &Act, who: &SignedIn, id: PasskeyId) -> Result<(), RemovePasskeyError> {
    who.must_be_fresh(door)?;
    let mut tx = door.db.begin().await?;
    // Two removals at once wait for each other here, so that not both find another passkey left.
    let held = store::account::hold(&mut tx, who.account).await?.ok_or(RemovePasskeyError::Missing)?;
    if !store::passkey::delete(&mut tx, who.account, id).await? {
        return Err(RemovePasskeyError::Missing);
    }
    if store::passkey::count(&mut tx, who.account).await? == 0 {
        nothing_needs_it(&mut tx, who, held.password.is_some()).await?;
    }
    act.commit(tx).await?;
    Ok(())
}

/// Whether the person can do without any passkey.
async fn nothing_needs_it(tx: &mut Tx, who: &SignedIn, has_password: bool) -> Result<(), RemovePasskeyError> {
    if !has_password && store::oidc_identity::count(tx, who.account).await? == 0 {
        return Err(RemovePasskeyError::LastWay);
    }
    let second = store::second_factor::within(tx, who.account).await?;
    if second.is_some_and(|row| row.is_confirmed() && row.totp_secret.is_none()) {
        return Err(RemovePasskeyError::SecondFactor);
    }
    Ok(())
}
