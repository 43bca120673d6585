//! What is out of date goes. `docs/cleanup.md` says what dies when and why.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::{Database, StoreError};

use crate::store;

/// How long a client may stay unused.
const UNUSED_CLIENT: Duration = Duration::from_hours(24 * 7);
/// How long a token stays after its time: long enough to see why a client failed.
const TOKEN: Duration = Duration::from_hours(24);
/// How long a code stays after its time, so that a second use is noticed.
const CODE: Duration = Duration::from_hours(24);
/// How long a trace stays.
const TRACE: Duration = Duration::from_hours(24 * 7);

/// Deletes requests, codes, tokens, clients and traces whose time is over, and ends installations whose code nobody
/// redeemed.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn prune(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let now = ambient.now();
    let mut tx = db.begin().await?;
    store::oauth_request::prune(&mut tx, now).await?;
    // Before the codes: an installation lapses only once its code is forgotten and it has no token.
    store::oauth_installation::lapse(&mut tx, now, now.minus(CODE)).await?;
    store::oauth_code::prune(&mut tx, now.minus(CODE)).await?;
    store::oauth_token::prune(&mut tx, now.minus(TOKEN)).await?;
    store::oauth_client::prune(&mut tx, now.minus(UNUSED_CLIENT)).await?;
    store::oauth_trace::prune(&mut tx, now.minus(TRACE)).await?;
    tx.commit().await
}
