//! Removing what the listing no longer had, once all of it was seen: what was only moved keeps its thing.

use super::Sync;
use super::ended::{Ended, retried};
use super::tally::Tally;
use crate::store::{catalog, reference};

/// References that one transaction removes.
const BATCH: i64 = 500;

impl Sync<'_> {
    pub(super) async fn remove_vanished(&self, tally: &mut Tally) -> Result<(), Ended> {
        while let Some(removed) = retried(|| Box::pin(self.remove_some(tally.clone()))).await? {
            *tally = removed;
        }
        Ok(())
    }

    /// Removes a batch; `None` when nothing is left.
    async fn remove_some(&self, mut tally: Tally) -> Result<Option<Tally>, Ended> {
        let mut tx = self.begin().await?;
        let gone = reference::vanished(&mut tx, self.resource.id, self.run.id().uuid(), BATCH).await?;
        if gone.is_empty() {
            return Ok(None);
        }
        catalog::remove(&mut tx, self.place(), &gone, self.ambient.now()).await?;
        tally.count_removed(gone.len());
        self.commit(tx, &tally).await?;
        Ok(Some(tally))
    }
}
