//! Letting a person in again.

use stoa_base::AccountId;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, store};

/// Enables the account: its person may sign in as before. What disabling ended stays ended. False if it was not
/// disabled, or is not there.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn enable(db: &Database, act: &Act, account: AccountId) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let enabled = store::account::enable(&mut tx, account).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(enabled)
}
