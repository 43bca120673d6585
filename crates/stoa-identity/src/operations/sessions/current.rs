//! From the cookie of a request to the person who is signed in.

use std::time::Duration;

use stoa_base::{AccountId, Timestamp};
use stoa_store::StoreError;

use crate::store::session::{FULL, HALF, Seen};
use crate::{Door, Email, SecretKind, SessionId, SignedIn, TokenHash, store};

/// How exactly the last use is known.
const SEEN_STEP: Duration = Duration::from_mins(1);

/// Who is signed in with this cookie. `None`: nobody, whatever the reason; the browser is to sign in. Asked of the
/// database each time, so that a session that was ended is refused from the next request on, on every node.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn current(door: &Door, cookie: &str) -> Result<Option<SignedIn>, StoreError> {
    let Some(Seen { signed_in, last_seen_at }) = look_up(door, cookie, FULL).await? else { return Ok(None) };
    let now = door.ambient.now();
    if now.since(last_seen_at) >= SEEN_STEP {
        note_use(door, signed_in.session, now).await?;
    }
    Ok(Some(signed_in))
}

/// Somebody whose second factor is awaited: not signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The person.
    pub account: AccountId,
    /// The person's address.
    pub email: Email,
}

/// Whose second factor is awaited with this cookie: for the page that asks for it.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn awaiting_second_factor(door: &Door, cookie: &str) -> Result<Option<Awaited>, StoreError> {
    let seen = look_up(door, cookie, HALF).await?;
    Ok(seen.map(|Seen { signed_in, .. }| Awaited { account: signed_in.account, email: signed_in.email }))
}

async fn look_up(door: &Door, cookie: &str, kind: &'static str) -> Result<Option<Seen>, StoreError> {
    let Some(hash) = TokenHash::of(SecretKind::Session, cookie) else { return Ok(None) };
    let now = door.ambient.now();
    store::session::current(&door.db, &hash, kind, now, now.minus(door.sessions.idle)).await
}

async fn note_use(door: &Door, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
    let mut tx = door.db.begin().await?;
    store::session::seen(&mut tx, id, now, now.minus(SEEN_STEP)).await?;
    tx.commit().await
}
