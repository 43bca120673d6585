//! Syncs of a place that answers what a test wants.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::stream::{StreamExt, iter};
use serde_json::{Value, json};
use sqlx::{query_as, query_scalar};
use stoa_base::Id;
use stoa_documents::{Document, Format, Problem, Reading, TEXT_BYTES};
use stoa_runs::{NewRun, RunRow, RunStatus, request_cancel};
use stoa_store::{Migrations, on};
use stoa_testing::{START, TestDatabase, manual_time, on_both};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::connector::{
    Checked, ConnectorKind, Found, Listed, Listing, Locator, PassedOver, Read, ReadError,
};

const MIGRATIONS: &[&Migrations] = &[&stoa_store::MIGRATIONS, &stoa_runs::MIGRATIONS, &crate::MIGRATIONS];

/// A place with this listing, where every file holds its own key after a beginning.
struct Place {
    found: Vec<Found>,
    beginning: &'static str,
    documents: Arc<dyn Documents>,
    /// Whether it is read whole, changed or not.
    is_full: bool,
    reads: AtomicUsize,
    /// Reads from this one on wait until the run is cancelled.
    cancelled_at: usize,
    cancelled: CancellationToken,
    reached: CancellationToken,
}

impl Place {
    fn of(found: Vec<Found>) -> Self {
        Self {
            found,
            beginning: "",
            documents: Arc::new(stoa_testing::Here),
            is_full: false,
            reads: AtomicUsize::new(0),
            cancelled_at: usize::MAX,
            cancelled: CancellationToken::new(),
            reached: CancellationToken::new(),
        }
    }
}

impl Connector for Place {
    fn kind(&self) -> &'static ConnectorKind {
        &crate::connector::folder::KIND
    }

    fn check(&self) -> BoxFuture<'_, Checked> {
        Box::pin(async { Checked::unreachable("not asked".to_owned()) })
    }

    fn list(&self) -> Listing {
        let (sender, listing) = mpsc::channel(1);
        sender.try_send(Ok(self.found.clone())).unwrap();
        listing
    }

    fn read<'a>(&'a self, at: &'a Locator) -> BoxFuture<'a, Result<Read, ReadError>> {
        Box::pin(async {
            if self.reads.fetch_add(1, Ordering::SeqCst) >= self.cancelled_at {
                self.reached.cancel();
                self.cancelled.cancelled().await;
            }
            let bytes = format!("{}{}", self.beginning, at.key).into_bytes();
            let size = i64::try_from(bytes.len()).unwrap();
            Ok(Read { size, modified_at: START, chunks: iter([Ok(bytes)]).boxed() })
        })
    }
}

fn file(key: &str) -> Found {
    let at = Locator { key: key.to_owned(), raw: None };
    Found::File(Listed { at, size: i64::try_from(key.len()).unwrap(), modified_at: START })
}

fn unreadable(position: &str) -> Found {
    Found::Unreadable { position: position.to_owned(), problem: "denied".to_owned() }
}

const END: Found = Found::End(PassedOver { links: 0, skipped: 0 });

/// Whatever it reads says as much as a document may.
#[derive(Debug)]
struct Bombs;

impl Documents for Bombs {
    fn read(&self, _: Vec<u8>, hint: Option<Format>) -> BoxFuture<'_, Reading> {
        let text = format!("{} ", "boom".repeat(15)).repeat(TEXT_BYTES / 61);
        let document = Document { title: None, text, unread: Vec::new() };
        Box::pin(async move { Reading { format: hint, engine: None, outcome: Ok(document) } })
    }
}

/// Answers nothing but this.
#[derive(Debug)]
struct Answering(Problem);

impl Documents for Answering {
    fn read(&self, _: Vec<u8>, hint: Option<Format>) -> BoxFuture<'_, Reading> {
        let outcome = Err(self.0.clone());
        Box::pin(async move { Reading { format: hint, engine: None, outcome } })
    }
}

/// The most memory that this process, in which no other test runs, ever held, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// Syncs a resource from a place of the test's.
struct PlaceWork {
    db: Database,
    ambient: Ambient,
    resource: ResourceRow,
    place: Arc<Place>,
}

impl Work for PlaceWork {
    fn service(&self) -> &'static str {
        "things"
    }

    fn kind(&self) -> &'static str {
        "sync"
    }

    fn perform<'a>(&'a self, run: &'a Running) -> BoxFuture<'a, Result<Outcome, WorkError>> {
        let (resource, connector) = (self.resource.clone(), self.place.clone());
        let sync = Sync {
            db: &self.db,
            ambient: &self.ambient,
            documents: self.place.documents.as_ref(),
            run,
            resource,
            connector,
            full: run.payload()["full"] == true,
        };
        let cancel = async {
            self.place.reached.cancelled().await;
            let mut tx = self.db.begin().await.unwrap();
            request_cancel(&mut tx, &self.ambient, run.workspace(), run.id()).await.unwrap();
            tx.commit().await.unwrap();
            run.stop_asked().await;
            self.place.cancelled.cancel();
            std::future::pending().await
        };
        Box::pin(async move {
            let ended = tokio::select! {
                ended = sync.perform() => ended,
                never = cancel => never,
            };
            match ended {
                Ok(()) => Ok(Outcome::Done),
                Err(Ended::Stopped(outcome)) => Ok(outcome),
                Err(ended) => Err(WorkError::Failed(ended.to_string())),
            }
        })
    }
}

/// A resource whose place a test makes up.
struct House {
    test: TestDatabase,
    ambient: Ambient,
    resource: ResourceRow,
}

impl House {
    async fn new(test: TestDatabase) -> Self {
        let (ambient, _) = manual_time();
        let resource = ResourceRow {
            id: Id::new(&ambient),
            workspace: Id::new(&ambient),
            name: "place".to_owned(),
            connector: "folder".to_owned(),
            configuration: Value::Null,
            is_default: false,
            synced_at: None,
            sync_counts: None,
            sync_error: None,
        };
        let mut tx = test.db.begin().await.unwrap();
        resource::insert(&mut tx, &resource, ambient.now()).await.unwrap();
        tx.commit().await.unwrap();
        Self { test, ambient, resource }
    }

    async fn sync(&self, place: Place) -> (RunRow, Arc<Place>) {
        let place = Arc::new(place);
        let run = NewRun {
            workspace: self.resource.workspace,
            service: "things",
            kind: "sync",
            target: None,
            live_key: None,
            payload: json!({ "full": place.is_full }),
            starter: None,
            account: None,
        };
        let mut tx = self.test.db.begin().await.unwrap();
        let queued = stoa_runs::enqueue(&mut tx, &self.ambient, &run, None).await.unwrap();
        tx.commit().await.unwrap();
        let work = PlaceWork {
            db: self.test.db.clone(),
            ambient: self.ambient.clone(),
            resource: self.resource.clone(),
            place: place.clone(),
        };
        let stop = CancellationToken::new();
        let works: Vec<Arc<dyn Work>> = vec![Arc::new(work)];
        let done = stoa_runs::work_one(
            &self.test.db,
            &self.ambient,
            works,
            self.resource.workspace,
            queued.id(),
            stop,
        );
        (done.await.unwrap().unwrap(), place)
    }

    /// The keys that are catalogued; those marked as vanished with a question mark.
    async fn keys(&self) -> Vec<String> {
        let sql = "SELECT key, vanished_in IS NOT NULL FROM thing_reference ORDER BY key";
        let keys: Vec<(String, bool)> =
            on!(read self.test.db, c => query_as(sql).fetch_all(c).await).unwrap();
        keys.into_iter().map(|(key, marked)| if marked { format!("{key}?") } else { key }).collect()
    }

    /// The status of every text step there is.
    async fn texts(&self) -> Vec<String> {
        let sql = "SELECT status FROM thing_step WHERE step = 'text'";
        on!(read self.test.db, c => query_scalar(sql).fetch_all(c).await).unwrap()
    }

    async fn problem(&self) -> Option<String> {
        let sql = "SELECT sync_error FROM resource";
        on!(read self.test.db, c => query_scalar(sql).fetch_one(c).await).unwrap()
    }
}

on_both! {
    async fn what_lies_below_an_unreadable_folder_stays(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let all = ["a", "d", "d!", "d-/x", "d/x", "d/y/z", "d0", "e"];
        let found = all.into_iter().map(file).chain([END]).collect();
        assert_eq!(house.sync(Place::of(found)).await.0.status, RunStatus::Done);
        assert_eq!(house.keys().await, all);
        let found = vec![unreadable("a"), file("b"), unreadable("d/"), END];
        assert_eq!(house.sync(Place::of(found)).await.0.status, RunStatus::Done);
        assert_eq!(house.keys().await, ["a", "b", "d/x", "d/y/z"]);
        assert_eq!(house.problem().await.unwrap(), "2 could not be read: a: denied; d/: denied");
    }
}

on_both! {
    async fn a_listing_that_breaks_off_removes_nothing(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let all = ["a", "b", "c"];
        let found: Vec<_> = all.into_iter().map(file).chain([END]).collect();
        house.sync(Place::of(found.clone())).await;
        let (run, _) = house.sync(Place::of(vec![file("c")])).await;
        assert_eq!((run.status, run.error.as_deref()), (RunStatus::Failed, Some("the listing broke off")));
        assert_eq!(house.keys().await.len(), 3);
        house.sync(Place::of(found)).await;
        assert_eq!(house.keys().await, all);
    }
}

on_both! {
    async fn a_cancelled_sync_stops_within_24_objects(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let found = (0..1000).map(|n| file(&format!("{n:04}"))).chain([END]).collect();
        let place = Place { cancelled_at: 300, ..Place::of(found) };
        let (run, place) = house.sync(place).await;
        assert_eq!(run.status, RunStatus::Cancelled);
        let reads = place.reads.load(Ordering::SeqCst);
        assert!((301..=324).contains(&reads), "{reads} files were read");
        // A batch that was being written at the stop is undone as a whole.
        let written = house.keys().await.len();
        assert!(written <= 301, "{written} files were written");
    }
}

on_both! {
    async fn little_files_that_say_much_are_not_all_held_at_once(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let found = (0..60).map(|n| file(&format!("{n:02}.pdf"))).chain([END]).collect();
        let bombs = Place { beginning: "%PDF-1.7 ", documents: Arc::new(Bombs), ..Place::of(found) };
        let (run, _) = house.sync(bombs).await;
        assert_eq!((run.status, run.error.as_deref()), (RunStatus::Done, None));
        assert_eq!(house.keys().await.len(), 60);
        // A text and its words are 16 MiB, and all of them nearly 1,000. Held are at most 4 that are analyzed,
        // and two each in the part that fills, in the one that waits and in the one that is written, which the
        // database takes as copies.
        assert!(peak() < 400, "{} MiB", peak());
    }
}

on_both! {
    async fn what_nobody_can_read_now_is_read_by_the_next_sync(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let place = |documents| {
            Place { beginning: r"{\rtf1 ", documents, ..Place::of(vec![file("a.rtf"), END]) }
        };
        let nobody = Answering(Problem::Unavailable("no worker".to_owned()));
        assert_eq!(house.sync(place(Arc::new(nobody))).await.0.status, RunStatus::Done);
        assert!(house.keys().await.is_empty());
        let problem = house.problem().await.unwrap();
        assert_eq!(problem, "1 could not be read: a.rtf: it can't be analyzed now: no worker");
        house.sync(place(Arc::new(stoa_testing::Here))).await;
        assert_eq!((house.texts().await, house.problem().await), (vec!["done".to_owned()], None));
    }
}

on_both! {
    async fn a_full_sync_takes_texts_that_failed_before(test) with MIGRATIONS; {
        let house = House::new(test).await;
        let place = |documents, is_full| {
            // As large as it is read, so that it is the same in every sync.
            let at = Locator { key: "a.rtf".to_owned(), raw: None };
            let listed = Found::File(Listed { at, size: 12, modified_at: START });
            Place { beginning: r"{\rtf1 ", documents, is_full, ..Place::of(vec![listed, END]) }
        };
        house.sync(place(Arc::new(Answering(Problem::Failed("broken".to_owned()))), false)).await;
        assert_eq!(house.texts().await, ["failed"]);
        house.sync(place(Arc::new(stoa_testing::Here), false)).await;
        assert_eq!(house.texts().await, ["failed"], "nothing changed");
        house.sync(place(Arc::new(stoa_testing::Here), true)).await;
        assert_eq!(house.texts().await, ["done"]);
    }
}
