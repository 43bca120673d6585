//! What an invitation offers.

use stoa_base::Ambient;
use stoa_store::{Database, StoreError};

use crate::{Offer, SecretKind, TokenHash, store};

/// What the holder of this link is offered. `None` if it is not good, whatever the reason.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn offer(db: &Database, ambient: &Ambient, secret: &str) -> Result<Option<Offer>, StoreError> {
    let Some(hash) = TokenHash::of(SecretKind::Invitation, secret) else { return Ok(None) };
    store::invitation::offer(db, &hash, ambient.now()).await
}
