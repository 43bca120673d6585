//! Whether somebody has a password.

use stoa_store::StoreError;

use crate::{Door, SignedIn, store};

/// Whether the person has a password: who has none is not asked for it when they choose one.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn is_set(door: &Door, who: &SignedIn) -> Result<bool, StoreError> {
    let account = store::account::password(&door.db, &who.email).await?;
    Ok(account.is_some_and(|(_, hash)| hash.is_some()))
}
