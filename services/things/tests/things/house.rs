//! An installation without a server: a database, a folder to be synced, and the runs' works.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sqlx::types::{Json, Uuid};
use sqlx::{query_as, query_scalar};
use stoa_base::cursor::CursorKey;
use stoa_base::{Ambient, Id, ManualClock, WorkspaceId};
use stoa_runs::{NewRun, RunId, RunRow, RunStatus, Work};
use stoa_store::audit::{Audit, Opening};
use stoa_store::{Migrations, on};
use stoa_testing::{Here, TestDatabase, manual_time};
use things::connector::{Bounds, Connectors};
use things::model::{ResourceId, ThingId};
use things::operations::add_resource::{AddResource, add_resource};
use things::operations::sync_resource::new_sync;
use things::store::resource::ResourceRow;
use things::{Effort, Settings, Things};
use tokio_util::sync::CancellationToken;

/// What these tests need of the database.
pub const MIGRATIONS: &[&Migrations] =
    &[&stoa_store::MIGRATIONS, &stoa_runs::MIGRATIONS, &things::MIGRATIONS];

/// An installation, with one workspace.
pub struct House {
    pub test: TestDatabase,
    pub clock: Arc<ManualClock>,
    pub things: Things,
    pub workspace: WorkspaceId,
}

impl House {
    pub fn new(test: TestDatabase) -> Self {
        Self::searching(test, Effort::default())
    }

    /// Where searches go so far only.
    pub fn searching(test: TestDatabase, search: Effort) -> Self {
        let (ambient, clock) = manual_time();
        let data = test.folder.path().join("data");
        fs::create_dir(&data).unwrap();
        let connectors = Connectors::new(ambient.clone(), data.clone());
        let settings = Settings {
            run_budget: 60,
            storage: data.join("storage"),
            search,
            connectable: Bounds::default(),
        };
        let workspace = Id::new(&ambient);
        let (db, cursors, documents) = (test.db.clone(), CursorKey::new([1; 32]), Arc::new(Here));
        let things = Things::new(db, ambient, cursors, connectors, documents, settings);
        Self { test, clock, things, workspace }
    }

    pub fn ambient(&self) -> &Ambient {
        self.things.ambient()
    }

    pub fn works(&self) -> Vec<Arc<dyn Work>> {
        things::runs::works(&self.things)
    }

    /// A folder of this name beside the database, made if it is missing.
    pub fn folder(&self, name: &str) -> PathBuf {
        let path = self.test.folder.path().join(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    /// Connects the folder of this name.
    pub async fn add(&self, name: &str) -> Resource<'_> {
        let path = self.folder(name);
        let audit = Audit::start(self.test.db.clone(), self.ambient().clone());
        let act = audit.open(Opening::local(self.workspace, "things add", json!({})));
        let asked = AddResource {
            workspace: self.workspace,
            connector: "folder".to_owned(),
            name: name.to_owned(),
            settings: BTreeMap::from([("path".to_owned(), path.to_str().unwrap().to_owned())]),
        };
        let id = add_resource(&self.things, &act, &asked).await.unwrap();
        Resource { house: self, id, path, ticks: AtomicU64::new(0) }
    }

    /// Enqueues a run and does it.
    pub async fn run(&self, run: &NewRun<'_>) -> RunRow {
        let run = self.enqueue(run).await;
        self.work(run).await
    }

    pub async fn enqueue(&self, run: &NewRun<'_>) -> RunId {
        let mut tx = self.test.db.begin().await.unwrap();
        let queued = stoa_runs::enqueue(&mut tx, self.ambient(), run, None).await.unwrap();
        tx.commit().await.unwrap();
        queued.id()
    }

    pub async fn work(&self, run: RunId) -> RunRow {
        let stop = CancellationToken::new();
        let done =
            stoa_runs::work_one(&self.test.db, self.ambient(), self.works(), self.workspace, run, stop);
        done.await.unwrap().unwrap()
    }

    /// One number from the database.
    pub async fn number(&self, sql: &'static str) -> i64 {
        on!(read self.test.db, c => query_scalar(sql).fetch_one(c).await).unwrap()
    }
}

/// A folder resource and the folder.
pub struct Resource<'a> {
    pub house: &'a House,
    pub id: ResourceId,
    pub path: PathBuf,
    ticks: AtomicU64,
}

impl Resource<'_> {
    pub fn new_sync(&self, full: bool) -> NewRun<'static> {
        let row = ResourceRow {
            id: self.id,
            workspace: self.house.workspace,
            name: String::new(),
            connector: "folder".to_owned(),
            configuration: Value::Null,
            is_default: false,
            synced_at: None,
            sync_counts: None,
            sync_error: None,
        };
        new_sync(&row, full)
    }

    /// Syncs, and answers what was counted.
    pub async fn sync(&self) -> Value {
        let run = self.house.run(&self.new_sync(false)).await;
        assert_eq!((run.status, run.error), (RunStatus::Done, None));
        self.counts().await
    }

    pub async fn counts(&self) -> Value {
        let sql = "SELECT sync_counts FROM resource WHERE id = $1";
        let counts: Json<Value> = on!(read self.house.test.db, c => query_scalar(sql)
            .bind(self.id.uuid())
            .fetch_one(c)
            .await)
        .unwrap();
        counts.0
    }

    pub async fn problem(&self) -> Option<String> {
        let sql = "SELECT sync_error FROM resource WHERE id = $1";
        on!(read self.house.test.db, c => query_scalar(sql).bind(self.id.uuid()).fetch_one(c).await).unwrap()
    }

    /// Writes a file, a second after whatever was written before: within one tick of the clock that files are
    /// stamped with, nobody could tell a change. So trees that were written alike are alike.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let full = self.path.join(&path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, bytes).unwrap();
        self.touch(path);
    }

    pub fn touch(&self, path: impl AsRef<Path>) {
        let file = File::options().append(true).open(self.path.join(path)).unwrap();
        let seconds = 1_700_000_000 + self.ticks.fetch_add(1, Ordering::Relaxed);
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        let to = self.path.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.path.join(from), to).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path.join(path)).unwrap();
    }

    /// The id of the thing at a key.
    pub async fn thing(&self, key: &str) -> Option<ThingId> {
        let sql = "SELECT t.id FROM thing t JOIN thing_reference r ON r.thing_seq = t.seq
            WHERE r.resource_id = $1 AND r.key = $2";
        let id: Option<Uuid> = on!(read self.house.test.db, c => query_scalar(sql)
            .bind(self.id.uuid())
            .bind(key)
            .fetch_optional(c)
            .await)
        .unwrap();
        id.map(ThingId::from_uuid)
    }
}

/// What is left of a thing without references: whether it is gone, and what took its place.
pub async fn fate(house: &House, thing: ThingId) -> (bool, Option<ThingId>) {
    let sql = "SELECT gone_at IS NOT NULL, superseded_by FROM thing WHERE id = $1";
    let (gone, successor): (bool, Option<Uuid>) =
        on!(read house.test.db, c => query_as(sql).bind(thing.uuid()).fetch_one(c).await).unwrap();
    (gone, successor.map(ThingId::from_uuid))
}
