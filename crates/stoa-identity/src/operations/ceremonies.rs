//! What the server remembers between the two halves of a ceremony, found only with a secret of the browser that
//! began it.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use stoa_base::{AccountId, Timestamp};
use stoa_store::{StoreError, Tx};

use crate::store::ceremony::{self, Kind, NewRow};
use crate::{Door, SecretKind, SecretToken, TokenHash};

/// A ceremony that was just begun.
pub struct Begun {
    /// What the browser's cookie holds.
    pub secret: SecretToken,
    /// From when it is refused.
    pub expires_at: Timestamp,
}

/// Remembers `state` for `life`.
pub async fn begin<S: Serialize + Sync>(
    tx: &mut Tx,
    door: &Door,
    (kind, account): (Kind, Option<AccountId>),
    state: &S,
    life: Duration,
) -> Result<Begun, StoreError> {
    let at = door.ambient.now();
    let begun =
        Begun { secret: SecretToken::new(SecretKind::Ceremony, &door.ambient), expires_at: at.plus(life) };
    let (hash, expires_at) = (begun.secret.hash(), begun.expires_at);
    ceremony::insert(tx, &NewRow { hash, kind, account, state, at, expires_at }).await?;
    Ok(begun)
}

/// What was remembered, and whose it is where that was known: used up, whatever comes of it. `None` if it is over,
/// was used, or began in another browser.
pub async fn take<S: DeserializeOwned + Send + Unpin + 'static>(
    door: &Door,
    secret: &str,
    kind: Kind,
) -> Result<Option<(Option<AccountId>, S)>, StoreError> {
    let Some(hash) = TokenHash::of(SecretKind::Ceremony, secret) else { return Ok(None) };
    let mut tx = door.db.begin().await?;
    let taken = ceremony::take(&mut tx, &hash, kind, door.ambient.now()).await?;
    tx.commit().await?;
    Ok(taken)
}
