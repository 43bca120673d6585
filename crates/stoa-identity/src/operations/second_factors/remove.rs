//! Removing the second factor.

use stoa_store::audit::Act;

use super::SecondFactorError;
use crate::{Door, SignedIn, store};

/// From now on a password is enough again; recovery codes go, too.
///
/// # Errors
/// [`SecondFactorError`]; nothing changed then.
pub async fn remove(door: &Door, act: &Act, who: &SignedIn) -> Result<(), SecondFactorError> {
    who.must_be_fresh(door)?;
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(SecondFactorError::Disabled)?;
    if !store::second_factor::delete(&mut tx, who.account).await? {
        return Err(SecondFactorError::Missing);
    }
    act.commit(tx).await?;
    Ok(())
}
