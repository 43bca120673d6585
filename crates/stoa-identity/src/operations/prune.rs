//! When rows of this crate die.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::{Database, StoreError};

use super::{oauth, throttle};
use crate::store;

/// How long an enrolment of an authenticator app may take.
const ENROLLMENT: Duration = Duration::from_hours(24);
/// How long an invitation is listed after it was over.
const KEEP_INVITATIONS: Duration = Duration::from_hours(30 * 24);

/// How long what was under way when a workspace was deleted may take to end.
const DELETION: Duration = Duration::from_hours(24);

/// Deletes what is out of date: what [`oauth::prune`] does, sessions, links, ceremonies, attempts, enrolments that were never confirmed, and
/// invitations 30 days after their end. `docs/cleanup.md` says why. Nothing of it was good any more, so nothing
/// depends on when this runs.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn prune(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    let now = ambient.now();
    let mut tx = db.begin().await?;
    store::session::prune(&mut tx, now).await?;
    store::link::prune(&mut tx, now).await?;
    store::ceremony::prune(&mut tx, now).await?;
    store::attempt::prune(&mut tx, now.minus(throttle::LONGEST)).await?;
    store::second_factor::prune(&mut tx, now.minus(ENROLLMENT)).await?;
    store::invitation::prune(&mut tx, now.minus(KEEP_INVITATIONS)).await?;
    store::deleted_workspace::prune(&mut tx, now.minus(DELETION)).await?;
    tx.commit().await?;
    oauth::prune(db, ambient).await
}
