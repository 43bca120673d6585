//! Removing what the listing no longer had, once all of it was seen: what was only moved keeps its thing.

use super::Sync;
use super::ended::Ended;
use super::tally::Tally;
use crate::store::{catalog, reference};

/// References that one transaction removes.
const BATCH: i64 = 500;

impl Sync<'_> {
    pub(super) async fn remove_vanished(&self, tally: &mut Tally) -> Result<(), Ended> {
        while self.remove_some(tally).await? {}
        Ok(())
    }

    /// Removes a batch; answers whether there was anything.
    async fn remove_some(&self, tally: &mut Tally) -> Result<bool, Ended> {
        let mut tx = self.begin().await?;
        let gone = reference::vanished(&mut tx, self.resource.id, self.run.id().uuid(), BATCH).await?;
        if gone.is_empty() {
            return Ok(false);
        }
        catalog::remove(&mut tx, self.place(), &gone, self.ambient.now()).await?;
        tally.count_removed(gone.len());
        self.commit(tx, tally).await?;
        Ok(true)
    }
}
