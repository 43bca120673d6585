//! Reading what was only named at first. Content that is catalogued already turns out to be its older thing.

use futures::stream::{StreamExt, iter};
use stoa_base::Timestamp;

use super::Sync;
use super::ended::Ended;
use super::tally::Tally;
use crate::connector::{Locator, ReadError};
use crate::store::catalog::{self, Analyzed};
use crate::store::thing::{self, Hash, Unread};

/// How many are asked for at once.
const PAGE: i64 = 24;
/// Files that are read side by side.
const READS: usize = 2;

/// A content that was read.
struct Examined {
    seq: i64,
    at: Locator,
    size: i64,
    outcome: Result<(Hash, Analyzed), ReadError>,
}

impl Sync<'_> {
    pub(super) async fn identify_unread(&self, tally: &mut Tally) -> Result<(), Ended> {
        tally.listed();
        let mut after = 0;
        loop {
            self.run.progress(tally.progress());
            let page = thing::unread(self.db, self.resource.workspace, self.resource.id, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.seq;
            self.identify_page(page, tally).await?;
        }
    }

    async fn identify_page(&self, page: Vec<Unread>, tally: &mut Tally) -> Result<(), Ended> {
        let examining = page.into_iter().map(|unread| self.examine(unread));
        let mut examined = iter(examining).buffered(READS);
        while let Some(examined) = examined.next().await {
            if let Err(problem) = &examined.outcome {
                tally.fail(&examined.at.key, problem);
                continue;
            }
            self.identify(&examined, tally).await?;
            tally.count_identified(u64::try_from(examined.size).unwrap_or(0));
            self.run.progress(tally.progress());
        }
        Ok(())
    }

    async fn examine(&self, unread: Unread) -> Examined {
        let at = Locator { key: unread.key, raw: unread.key_bytes };
        let modified_at = Timestamp::from_micros(unread.modified_at);
        let outcome = self.read_listed(&at, unread.size, modified_at).await;
        Examined { seq: unread.seq, at, size: unread.size, outcome }
    }

    /// Reads a content that has to be the one that was listed.
    async fn read_listed(
        &self,
        at: &Locator,
        size: i64,
        modified_at: Timestamp,
    ) -> Result<(Hash, Analyzed), ReadError> {
        let contents = self.read(at).await?;
        if (contents.size, contents.modified_at) != (size, modified_at) {
            return Err(ReadError::Unsettled);
        }
        let hash = contents.hash;
        Ok((hash, self.analyze(&at.key, contents).await?))
    }

    async fn identify(&self, examined: &Examined, tally: &Tally) -> Result<(), Ended> {
        let Ok((hash, analyzed)) = &examined.outcome else { return Ok(()) };
        let mut tx = self.begin().await?;
        catalog::identify(&mut tx, self.resource.workspace, examined.seq, hash, analyzed).await?;
        self.commit(tx, tally).await
    }
}
