//! What an agent did lately.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::{Database, StoreError};

use crate::{Doing, Installation, store};

/// How many of an agent's newest entries are looked at: a page must not wait for one that called a million times.
const LOOKED_AT: u32 = 10_000;
/// How far back that goes.
const LATELY: Duration = Duration::from_hours(7 * 24);

/// What an agent did within the last seven days, by tool, the most used first.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn doings(
    db: &Database,
    ambient: &Ambient,
    agent: &Installation,
) -> Result<Vec<Doing>, StoreError> {
    let since = ambient.now().minus(LATELY);
    store::activity::doings(db, agent.mount.workspace, agent.id, since, LOOKED_AT).await
}
