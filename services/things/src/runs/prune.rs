//! Forgetting things that have been gone for long.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::{Database, StoreError};

use crate::store::catalog;

/// How long a thing without a reference is kept.
const KEEP: Duration = Duration::from_hours(30 * 24);
/// Things that one transaction forgets.
const BATCH: i64 = 200;

/// Forgets things that have been gone for more than 30 days, with their text and their place in the index.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn prune(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let before = ambient.now().minus(KEEP);
    loop {
        let mut tx = db.begin().await?;
        let forgotten = catalog::forget(&mut tx, before, BATCH).await?;
        tx.commit().await?;
        if i64::try_from(forgotten) != Ok(BATCH) {
            return Ok(());
        }
    }
}
