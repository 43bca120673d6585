//! Listing passkeys.

use stoa_store::StoreError;

use crate::{Door, PasskeyRecord, SignedIn, store};

/// The person's passkeys, oldest first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(door: &Door, who: &SignedIn) -> Result<Vec<PasskeyRecord>, StoreError> {
    store::passkey::list(&door.db, who.account).await
}
