//! Ending an installation.

use stoa_base::{AccountId, Ambient};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, TokenPlace, store};

/// Ends an installation of the person's, and so every token and code of it: on this node from the next request on,
/// on every other within a second. False, and no entry in the audit, if there is none such or it had ended.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn end(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    account: AccountId,
    place: &TokenPlace,
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let ended = store::oauth_installation::end_own(&mut tx, place, account, ambient.now()).await?;
    if ended {
        tx.wake(TOKENS);
        act.commit(tx).await?;
    }
    Ok(ended)
}
