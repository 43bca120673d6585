//! Revoking a token.

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::{TOKENS, TokenPlace, store};

/// Ends the installation that a token belongs to, and so every token of it: on this node from the next
/// request on, on every other within a second. False if it had ended before.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn revoke(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    place: &TokenPlace,
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let ended = store::installation::end(&mut tx, place.workspace, place.installation, ambient.now()).await?;
    tx.wake(TOKENS);
    act.commit(tx).await?;
    Ok(ended)
}
