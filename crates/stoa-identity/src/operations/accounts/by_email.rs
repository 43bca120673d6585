//! Finding a person.

use stoa_store::{Database, StoreError};

use crate::{Account, Email, store};

/// The account with this address, disabled ones included.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn by_email(db: &Database, email: &Email) -> Result<Option<Account>, StoreError> {
    store::account::by_email(db, email).await
}
