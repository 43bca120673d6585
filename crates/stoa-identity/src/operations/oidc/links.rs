//! The identities to which a person's account is linked.

use stoa_store::StoreError;
use stoa_store::audit::Act;

use crate::{Door, NotFresh, OidcLink, SignedIn, store};

/// Those of the person, the oldest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn links(door: &Door, who: &SignedIn) -> Result<Vec<OidcLink>, StoreError> {
    store::oidc_identity::list(&door.db, who.account).await
}

/// Why an identity was not unlinked.
#[derive(Debug, thiserror::Error)]
pub enum UnlinkError {
    /// The sign-in was long ago.
    #[error(transparent)]
    NotFresh(#[from] NotFresh),
    /// The person has no such link.
    #[error("there is no such link")]
    Missing,
    /// Without it the person could not sign in any more.
    #[error("this is your only way to sign in: add a passkey or a password first")]
    LastWay,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Unlinks an identity from the person's account, but not what they sign in with last.
///
/// # Errors
/// [`UnlinkError`]; it stays then.
pub async fn unlink(
    door: &Door,
    act: &Act,
    who: &SignedIn,
    issuer: &str,
    subject: &str,
) -> Result<(), UnlinkError> {
    who.must_be_fresh(door)?;
    let mut tx = door.db.begin().await?;
    // Two at once wait for each other here, so that not both find another way left.
    let held = store::account::hold(&mut tx, who.account).await?.ok_or(UnlinkError::Missing)?;
    if !store::oidc_identity::delete(&mut tx, who.account, issuer, subject).await? {
        return Err(UnlinkError::Missing);
    }
    let is_last = held.password.is_none()
        && store::passkey::count(&mut tx, who.account).await? == 0
        && store::oidc_identity::count(&mut tx, who.account).await? == 0;
    if is_last {
        return Err(UnlinkError::LastWay);
    }
    act.commit(tx).await?;
    Ok(())
}
