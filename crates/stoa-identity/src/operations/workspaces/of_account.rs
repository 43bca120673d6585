//! A person's workspaces.

use stoa_base::AccountId;
use stoa_store::{Database, StoreError};

use crate::{Belonging, store};

/// The workspaces to which the account belongs, by name.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn of_account(db: &Database, account: AccountId) -> Result<Vec<Belonging>, StoreError> {
    store::membership::of_account(db, account).await
}
