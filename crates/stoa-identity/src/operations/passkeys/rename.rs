//! Calling a passkey otherwise.

use stoa_base::text::one_line;
use stoa_store::StoreError;
use stoa_store::audit::Act;

use super::LONGEST_NAME;
use crate::{Door, PasskeyId, SignedIn, store};

/// Calls one of the person's passkeys otherwise. False if they have no such passkey: the act is still to be closed
/// then.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn rename(
    door: &Door,
    act: &Act,
    who: &SignedIn,
    id: PasskeyId,
    name: &str,
) -> Result<bool, StoreError> {
    let mut tx = door.db.begin().await?;
    let renamed = store::passkey::rename(&mut tx, who.account, id, &one_line(name, LONGEST_NAME)).await?;
    if renamed {
        act.commit(tx).await?;
    }
    Ok(renamed)
}
