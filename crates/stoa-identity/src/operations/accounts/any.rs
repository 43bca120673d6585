//! Whether there are people yet.

use stoa_store::{Database, StoreError};

use crate::store;

/// Whether anybody was added, disabled people included.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn any(db: &Database) -> Result<bool, StoreError> {
    store::account::any(db).await
}
