//! The bell: telling whoever waits that something changed, on this node, beside it, or on another.
//!
//! A ring is a hint. Whoever waits for one also looks again after a while by itself, so that a lost ring
//! costs time and nothing else.
//!
//! - On this node: a counter per topic.
//! - SQLite: the same transaction counts in table `wake`; a watcher sees through `PRAGMA data_version` that
//!   some other connection committed, and rings the topics whose count rose.
//! - PostgreSQL: `NOTIFY`, gathered for 10 ms and sent outside the transaction, since a notify inside takes
//!   a lock of the whole server at commit.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgListener;
use sqlx::{PgPool, SqlitePool, query, query_as, query_scalar};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::database::Backend;
use crate::{Database, StoreError, Tx, on, queries};

/// What changed, as one word: `runs`, `tokens`.
pub type Topic = &'static str;

/// How often SQLite is asked whether another process wrote.
const SQLITE_POLL: Duration = Duration::from_millis(100);
/// How long rings are gathered before they are sent to other nodes.
const GATHER: Duration = Duration::from_millis(10);
/// Rings that may wait to be sent; one more is dropped, as a ring is only a hint.
const OUTBOX: usize = 1024;
/// The one channel of PostgreSQL; the payload names the topics.
const CHANNEL: &str = "stoa";

queries! {
    /// SQLite only by use: one more ring of a topic.
    COUNT = "INSERT INTO wake (topic, rings) VALUES ($1, 1)
        ON CONFLICT (topic) DO UPDATE SET rings = wake.rings + 1";
    /// All counts.
    COUNTS = "SELECT topic, rings FROM wake";
    /// To every other node.
    NOTIFY = { sqlite: "SELECT $1", postgres: "SELECT pg_notify('stoa', $1)" };
    /// A number that changes when another connection commits.
    DATA_VERSION = { sqlite: "PRAGMA data_version", postgres: "SELECT CAST(0 AS BIGINT)" };
}

/// The bell of one process. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Wakeups {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    rings: Mutex<HashMap<Topic, watch::Sender<u64>>>,
    /// Where rings for other nodes go, once somebody carries them there.
    outbox: Mutex<Option<mpsc::Sender<Topic>>>,
}

impl Wakeups {
    /// A receiver whose `changed()` ends at the next ring of `topic`.
    #[must_use]
    pub fn subscribe(&self, topic: Topic) -> watch::Receiver<u64> {
        let mut rings = self.shared.rings.lock().unwrap_or_else(PoisonError::into_inner);
        rings.entry(topic).or_default().subscribe()
    }

    /// Rings here and hands the ring on to other nodes.
    pub(crate) fn ring(&self, topics: &[Topic]) {
        for topic in topics {
            self.ring_here(topic);
            let outbox = self.shared.outbox.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(outbox) = &*outbox {
                // A full outbox drops the ring: it is a hint.
                let _dropped = outbox.try_send(topic);
            }
        }
    }

    fn ring_here(&self, topic: &str) {
        let rings = self.shared.rings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = rings.get(topic) {
            sender.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    fn ring_all(&self) {
        let rings = self.shared.rings.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in rings.values() {
            sender.send_modify(|count| *count = count.wrapping_add(1));
        }
    }
}

/// Counts rings inside a SQLite transaction, for processes beside this one.
pub(crate) async fn count(tx: &mut Tx, topics: &[Topic]) -> Result<(), StoreError> {
    for topic in topics {
        on!(tx tx, c => query(COUNT).bind(*topic).execute(c).await.map(|_| ()))?;
    }
    Ok(())
}

/// Carries rings between this process and others until `stop`. Errors are logged and tried again: without
/// this task waiting takes longer, nothing more.
pub async fn carry(db: Database, stop: CancellationToken) {
    let work = async {
        match db.backend() {
            Backend::Sqlite { read, .. } => watch_sqlite(read, db.wakeups()).await,
            Backend::Postgres(pool) => {
                tokio::join!(send_to_nodes(pool, db.wakeups()), hear_nodes(pool, db.wakeups()));
            }
        }
    };
    stop.run_until_cancelled(work).await;
}

async fn watch_sqlite(pool: &SqlitePool, wakeups: &Wakeups) {
    loop {
        if let Err(error) = watch_one_connection(pool, wakeups).await {
            tracing::warn!(%error, "can't see what other processes write; trying again");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn watch_one_connection(pool: &SqlitePool, wakeups: &Wakeups) -> Result<(), StoreError> {
    // `data_version` is a connection's own view, so one connection is kept for it.
    let mut connection = pool.acquire().await?;
    let mut seen = -1_i64;
    let mut counts: HashMap<String, i64> = HashMap::new();
    loop {
        let version: i64 = query_scalar(DATA_VERSION.sqlite).fetch_one(&mut *connection).await?;
        if version != seen {
            seen = version;
            let now: Vec<(String, i64)> = query_as(COUNTS).fetch_all(&mut *connection).await?;
            for (topic, rings) in now {
                if counts.insert(topic.clone(), rings) != Some(rings) {
                    wakeups.ring_here(&topic);
                }
            }
        }
        tokio::time::sleep(SQLITE_POLL).await;
    }
}

async fn send_to_nodes(pool: &PgPool, wakeups: &Wakeups) {
    let (outbox, mut waiting) = mpsc::channel(OUTBOX);
    *wakeups.shared.outbox.lock().unwrap_or_else(PoisonError::into_inner) = Some(outbox);
    while let Some(first) = waiting.recv().await {
        tokio::time::sleep(GATHER).await;
        let mut topics = HashSet::from([first]);
        while let Ok(topic) = waiting.try_recv() {
            topics.insert(topic);
        }
        let payload = topics.into_iter().collect::<Vec<_>>().join(" ");
        if let Err(error) = query(NOTIFY.postgres).bind(payload).execute(pool).await {
            tracing::warn!(%error, "other nodes could not be told of a change");
        }
    }
}

async fn hear_nodes(pool: &PgPool, wakeups: &Wakeups) {
    loop {
        if let Err(error) = listen(pool, wakeups).await {
            tracing::warn!(%error, "can't hear other nodes; trying again");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn listen(pool: &PgPool, wakeups: &Wakeups) -> Result<(), StoreError> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    // What was rung before is lost: let everybody look.
    wakeups.ring_all();
    while let Some(notice) = listener.try_recv().await? {
        notice.payload().split(' ').for_each(|topic| wakeups.ring_here(topic));
    }
    Ok(())
}
