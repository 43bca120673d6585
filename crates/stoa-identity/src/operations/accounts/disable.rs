//! Disabling a person.

use stoa_base::{AccountId, Ambient};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, store};

/// Disables the account: none of its tokens is taken any more, in any workspace. False if it was disabled
/// before, or is not there.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn disable(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    account: AccountId,
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let disabled = store::account::disable(&mut tx, account, ambient.now()).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(disabled)
}
