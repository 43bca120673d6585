//! Disabling a person.

use stoa_base::{AccountId, Ambient};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, store};

/// Disables the account and ends all it holds, for good: sessions, links, ceremonies, and in every workspace its
/// installations with their tokens. False if it was disabled before, or is not there.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn disable(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    account: AccountId,
) -> Result<bool, StoreError> {
    let at = ambient.now();
    let mut tx = db.begin().await?;
    let disabled = store::account::disable(&mut tx, account, at).await?;
    store::session::end_all(&mut tx, account).await?;
    store::link::delete_of(&mut tx, account).await?;
    store::ceremony::end_all(&mut tx, account).await?;
    store::installation::end_everywhere(&mut tx, account, at).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(disabled)
}
