//! Listing sessions.

use stoa_store::StoreError;

use crate::{Door, SessionRecord, SignedIn, store};

/// The person's sessions that are good, the one in use last first; at most 200.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(door: &Door, who: &SignedIn) -> Result<Vec<SessionRecord>, StoreError> {
    let now = door.ambient.now();
    store::session::list(&door.db, who.account, now, now.minus(door.sessions.idle)).await
}
