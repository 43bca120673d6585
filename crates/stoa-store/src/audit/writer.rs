//! The task that writes entries of many calls in one transaction.

use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::entry::{self, Row};
use crate::{Database, StoreError};

/// How long an entry waits for company, at most.
const GATHER: Duration = Duration::from_millis(200);
/// Entries of one transaction.
const GROUP: usize = 256;
/// Entries that may wait in line; whoever comes then waits for a place.
const LINE: usize = 4096;
/// How long to wait before the database is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// How often the last entries are tried at the stop.
const LAST_TRIES: u32 = 3;

/// The way into the line. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    line: mpsc::Sender<Message>,
    db: Database,
}

#[derive(Debug)]
enum Message {
    Entry(Box<Waiting>),
    Stop(oneshot::Sender<()>),
}

#[derive(Debug)]
struct Waiting {
    row: Row,
    /// Who wants to know when the entry is durable; then it is written at once.
    urgent: Option<Answer>,
}

type Answer = oneshot::Sender<Result<(), StoreError>>;

impl Message {
    fn entry(row: Row, urgent: Option<Answer>) -> Self {
        Self::Entry(Box::new(Waiting { row, urgent }))
    }
}

/// A place in line; none when the task has ended.
pub(crate) struct Place<'a> {
    permit: Option<mpsc::Permit<'a, Message>>,
    db: &'a Database,
}

impl Writer {
    pub fn start(db: Database) -> Self {
        let (line, entries) = mpsc::channel(LINE);
        tokio::spawn(Task::new(db.clone(), entries).run());
        Self { line, db }
    }

    /// Waits for a place in line.
    pub async fn place(&self) -> Place<'_> {
        Place { permit: self.line.reserve().await.ok(), db: &self.db }
    }

    /// Puts an entry in line from where nothing can be awaited.
    pub fn write_later(&self, row: Row) {
        let sent = self.line.try_send(Message::entry(row, None));
        let Err(TrySendError::Full(Message::Entry(left)) | TrySendError::Closed(Message::Entry(left))) = sent
        else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return lost(&left.row);
        };
        let writer = self.clone();
        runtime.spawn(async move { writer.place().await.write(left.row, false).await });
    }

    pub async fn stop(&self) {
        let (done, stopped) = oneshot::channel();
        if self.line.send(Message::Stop(done)).await.is_ok() {
            // An error here says that the task is gone, which is what was asked for.
            let _gone = stopped.await;
        }
    }
}

impl Place<'_> {
    /// Takes the place. An urgent entry is durable when this returns.
    pub async fn write(self, row: Row, urgent: bool) -> Result<(), StoreError> {
        let Some(permit) = self.permit else {
            return write_alone(self.db, &row).await;
        };
        if !urgent {
            permit.send(Message::entry(row, None));
            return Ok(());
        }
        let (answer, durable) = oneshot::channel();
        permit.send(Message::entry(row, Some(answer)));
        durable.await.unwrap_or_else(|_gone| Err(StoreError::Audit("its task has ended".to_owned())))
    }
}

async fn write(db: &Database, rows: &[&Row]) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    entry::insert(&mut tx, rows).await?;
    tx.commit().await
}

/// Writes an entry that came after the stop: there is nobody who would try again.
async fn write_alone(db: &Database, row: &Row) -> Result<(), StoreError> {
    let written = write(db, &[row]).await;
    if written.is_err() {
        lost(row);
    }
    written
}

/// The last resort: what the database did not take is at least in the log.
fn lost(row: &Row) {
    let entry = serde_json::to_string(row).unwrap_or_default();
    tracing::error!(target: "audit.lost", entry, "an audit entry could not be written");
}

struct Task {
    db: Database,
    entries: mpsc::Receiver<Message>,
    waiting: Vec<Waiting>,
    /// Who wants to know when everything is written.
    stopping: Vec<oneshot::Sender<()>>,
}

impl Task {
    fn new(db: Database, entries: mpsc::Receiver<Message>) -> Self {
        Self { db, entries, waiting: Vec::new(), stopping: Vec::new() }
    }

    async fn run(mut self) {
        while self.gather().await {
            if self.flush().await.is_err() {
                tokio::time::sleep(RETRY).await;
            }
        }
        self.finish().await;
        for done in self.stopping {
            // Whoever asked may have gone.
            let _gone = done.send(());
        }
    }

    /// Waits until there is a group to write: a full one, an urgent one, or an old one. False at the stop.
    async fn gather(&mut self) -> bool {
        if self.waiting.is_empty() && !self.receive().await {
            return false;
        }
        let old = tokio::time::sleep(GATHER);
        tokio::pin!(old);
        while self.stopping.is_empty() && self.waiting.len() < GROUP && !self.is_urgent() {
            tokio::select! {
                more = self.receive() => if !more { return false },
                () = &mut old => return true,
            }
        }
        self.stopping.is_empty()
    }

    fn is_urgent(&self) -> bool {
        self.waiting.iter().any(|entry| entry.urgent.is_some())
    }

    /// Takes everything in line, up to a group; waits for the first. False when nothing can come any more.
    async fn receive(&mut self) -> bool {
        let mut messages = Vec::new();
        let count = self.entries.recv_many(&mut messages, GROUP).await;
        for message in messages {
            match message {
                Message::Entry(entry) => self.waiting.push(*entry),
                Message::Stop(done) => self.stopping.push(done),
            }
        }
        count > 0
    }

    /// Writes what is waiting in one transaction. What could not be written stays, but nobody waits for it
    /// any more.
    async fn flush(&mut self) -> Result<(), StoreError> {
        let rows: Vec<&Row> = self.waiting.iter().map(|entry| &entry.row).collect();
        let written = write(&self.db, &rows).await;
        for entry in &mut self.waiting {
            if let Some(answer) = entry.urgent.take() {
                let failed = written.as_ref().err().map(|error| StoreError::Audit(error.to_string()));
                // Whoever waited may have gone.
                let _gone = answer.send(failed.map_or(Ok(()), Err));
            }
        }
        match &written {
            Ok(()) => self.waiting.clear(),
            Err(error) => {
                tracing::error!(%error, waiting = self.waiting.len(), "audit entries wait for the database");
            }
        }
        written
    }

    /// Writes what is left; what can't be written goes to the log.
    async fn finish(&mut self) {
        self.entries.close();
        while self.receive().await {}
        for _ in 0..LAST_TRIES {
            if self.waiting.is_empty() || self.flush().await.is_ok() {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
        self.waiting.iter().for_each(|entry| lost(&entry.row));
    }
}
