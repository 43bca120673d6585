//! One call under audit, from its beginning to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use stoa_base::{AccountId, Ambient, Id, Timestamp};

use super::entry::{self, AuditEntry, Ending, Row};
use super::writer::Writer;
use super::{Opening, Status};
use crate::{Database, StoreError, Tx};

/// Where acts are opened. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Audit(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    writer: Writer,
    ambient: Ambient,
}

impl Audit {
    /// Starts the task that writes entries in groups. Needs a tokio runtime.
    #[must_use]
    pub fn start(db: Database, ambient: Ambient) -> Self {
        Self(Arc::new(Shared { writer: Writer::start(db), ambient }))
    }

    /// Begins an act now. Dropped without an ending it is noted as an error with the code `abandoned`: the
    /// caller went away.
    #[must_use]
    pub fn open(&self, opening: Opening) -> Act {
        let (id, at) = (Id::new(&self.0.ambient), self.0.ambient.now());
        let (found, ended) = (OnceLock::new(), AtomicBool::new(false));
        Act(Arc::new(Open { shared: Arc::clone(&self.0), id, at, opening, found, ended }))
    }

    /// Writes everything closed so far and ends the task. Acts closed later write their entry by themselves.
    pub async fn stop(&self) {
        self.0.writer.stop().await;
    }
}

/// One act under audit. Clones are the same act: it has one entry, however often it is ended.
#[derive(Clone, Debug)]
pub struct Act(Arc<Open>);

#[derive(Debug)]
struct Open {
    shared: Arc<Shared>,
    id: Id<AuditEntry>,
    at: Timestamp,
    opening: Opening,
    /// Whose act it turned out to be.
    found: OnceLock<AccountId>,
    /// Whether the entry is written, or on its way.
    ended: AtomicBool,
}

impl Act {
    /// Says whose act it is, once that is known: who signs in is not when they begin to. The first word counts, and
    /// what the opening said before it.
    pub fn is_of(&self, account: AccountId) {
        let _known_before = self.0.found.set(account);
    }

    /// Commits `tx` with the act's entry, of status ok, in it. An operation of several transactions ends each
    /// of them here; the first carries the entry.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database refused: then there is neither the write nor the entry, and
    /// the act can still be closed.
    pub async fn commit(&self, tx: Tx) -> Result<(), StoreError> {
        self.commit_as(tx, Status::Ok, None).await
    }

    /// Like [`Self::commit`], where the write is what a refusal entails: a stolen token is refused, and others
    /// are revoked.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub async fn commit_as(&self, mut tx: Tx, status: Status, code: Option<&str>) -> Result<(), StoreError> {
        if self.0.ended.load(Ordering::Acquire) {
            return tx.commit().await;
        }
        entry::insert(&mut tx, &[&self.0.row(status, code)]).await?;
        tx.commit().await?;
        self.0.ended.store(true, Ordering::Release);
        Ok(())
    }

    /// Ends an act of which there is nothing to note: what was asked could not have been done by anybody, or was turned
    /// away before it was looked at. Strangers could fill the audit with such.
    pub fn let_go(&self) {
        self.0.ended.store(true, Ordering::Release);
    }

    /// Ends an act that wrote nothing; does nothing after a [`Self::commit`]. `code` is the error's code as the
    /// caller got it. A denial is durable when this returns; other entries follow within 200 ms.
    ///
    /// # Errors
    /// [`StoreError::Audit`] when a denial could not be made durable. (It stays in line, as other entries do.)
    pub async fn close(&self, status: Status, code: Option<&str>) -> Result<(), StoreError> {
        let place = self.0.shared.writer.place().await;
        if self.0.ended.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        place.write(self.0.row(status, code), status == Status::Denied).await
    }
}

impl Open {
    fn row(&self, status: Status, code: Option<&str>) -> Row {
        let account = self.found.get().copied();
        let ending = Ending { status, code, account, at: self.shared.ambient.now() };
        Row::new(self.id, self.at, &self.opening, &ending)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !*self.ended.get_mut() {
            self.shared.writer.write_later(self.row(Status::Error, Some("abandoned")));
        }
    }
}
