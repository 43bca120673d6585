//! Making passkeys the second factor.

use stoa_store::audit::Act;

use super::{RecoveryCodes, SecondFactorError, codes};
use crate::{Door, SignedIn, store};

/// From now on a password alone is not enough: one of the person's passkeys is asked for (which signs in by itself,
/// so what this does is to make the password worthless alone). The codes are for when all passkeys are lost.
///
/// # Errors
/// [`SecondFactorError`]; nothing changed then.
pub async fn use_passkeys(
    door: &Door,
    act: &Act,
    who: &SignedIn,
) -> Result<RecoveryCodes, SecondFactorError> {
    who.must_be_fresh(door)?;
    let at = door.ambient.now();
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(SecondFactorError::Disabled)?;
    if store::passkey::count(&mut tx, who.account).await? == 0 {
        return Err(SecondFactorError::NoPasskey);
    }
    let is_new = store::second_factor::begin(&mut tx, who.account, None, at).await?;
    if !is_new || !store::second_factor::confirm(&mut tx, who.account, at).await? {
        return Err(SecondFactorError::Exists);
    }
    let codes = codes::replace(&mut tx, door, who.account).await?;
    act.commit(tx).await?;
    Ok(codes)
}
