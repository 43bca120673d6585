//! Finding out where a token belongs.

use stoa_store::{Database, StoreError};
use uuid::Uuid;

use crate::{TokenPlace, store};

/// Where the token or the installation with this id belongs: what [`revoke`](super::revoke()) takes. In every
/// workspace, so it is for the command line on the machine only.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn find(db: &Database, id: Uuid) -> Result<Option<TokenPlace>, StoreError> {
    store::token::place(db, id).await
}
