//! Ending sessions: each is refused from the next request on.

use stoa_store::StoreError;
use stoa_store::audit::Act;

use crate::{Door, SessionId, SignedIn, store};

/// Ends one of the person's sessions; of the one in use this is signing out. False if it had ended, or is not
/// theirs: the act is still to be closed then.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn end(door: &Door, act: &Act, who: &SignedIn, id: SessionId) -> Result<bool, StoreError> {
    let mut tx = door.db.begin().await?;
    let ended = store::session::end(&mut tx, who.account, id).await?;
    if ended {
        act.commit(tx).await?;
    }
    Ok(ended)
}

/// Ends all of the person's sessions but the one in use, and says how many.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn end_others(door: &Door, act: &Act, who: &SignedIn) -> Result<u64, StoreError> {
    let mut tx = door.db.begin().await?;
    let ended = store::session::end_others(&mut tx, who.account, who.session).await?;
    act.commit(tx).await?;
    Ok(ended)
}

/// Ends all of the person's sessions, the one in use included, and says how many.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn end_all(door: &Door, act: &Act, who: &SignedIn) -> Result<u64, StoreError> {
    let mut tx = door.db.begin().await?;
    let ended = store::session::end_all(&mut tx, who.account).await?;
    act.commit(tx).await?;
    Ok(ended)
}
