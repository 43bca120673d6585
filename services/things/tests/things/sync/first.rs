//! The first sync of a folder, and the one after it that finds nothing new.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use serde_json::json;
use sqlx::query_scalar;
use stoa_runs::RunStatus;
use stoa_store::{Dialect, on};
use stoa_testing::on_both;

use super::snapshot::snapshot;
use crate::house::{House, MIGRATIONS};

on_both! {
    async fn everything_in_a_folder_is_catalogued(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a/report.html", "<title>Annual Report</title><p>Revenue rose.");
        folder.write("a-b/x.txt", "plain words");
        folder.write("empty", "");
        folder.write(OsStr::from_bytes(b"caf\xE9.txt"), "coffee");
        folder.write(".git/HEAD", "x");
        symlink("/etc", folder.path.join("etc")).unwrap();
        assert_eq!(folder.sync().await, json!({
            "files": 4, "added": 4, "changed": 0, "removed": 0, "unchanged": 0,
            "links": 1, "skipped": 1, "unreadable": 0, "unsettled": 0,
        }));
        let text = snapshot(&house.test.db).await;
        let keys: Vec<_> = text.lines().filter(|line| line.starts_with("docs/")).collect();
        assert_eq!(keys.len(), 4);
        assert!(keys[0].contains("\"a-b/x.txt\"") && keys[0].contains("document text/plain 11"), "{}", keys[0]);
        assert!(keys[1].contains("\"a/report.html\"") && keys[1].contains("Some(\"Annual Report\")"), "{}", keys[1]);
        assert!(keys[2].contains("caf\\\\xE9.txt~") && keys[2].contains("raw 636166e92e747874"), "{}", keys[2]);
        assert!(!text.contains("FAULT"), "{text}");
    }
}

on_both! {
    async fn an_unchanged_folder_is_synced_without_reading_a_file_or_writing_a_row_for_it(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        for n in 0..300 {
            folder.write(format!("{}/{n}.txt", n % 7), format!("file {n}"));
        }
        folder.sync().await;
        let before = (snapshot(&house.test.db).await, rows(&house).await, changes(&house).await);
        let run = house.run(&folder.new_sync(false)).await;
        assert_eq!((run.status, run.progress.done, run.progress.total), (RunStatus::Done, 300, Some(300)));
        assert_eq!(run.progress.bytes, 0);
        assert_eq!(folder.counts().await["unchanged"], 300);
        assert_eq!(snapshot(&house.test.db).await, before.0);
        assert_eq!(rows(&house).await, before.1);
        let changed = changes(&house).await - before.2;
        assert!(changed < 50, "{changed} rows were written");
    }
}

on_both! {
    async fn a_full_sync_reads_all_and_changes_nothing(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("small", "small");
        folder.write("large", vec![b'x'; 2 << 20]);
        folder.sync().await;
        let before = snapshot(&house.test.db).await;
        let run = house.run(&folder.new_sync(true)).await;
        assert_eq!((run.status, run.progress.bytes), (RunStatus::Done, (2 << 20) + 5));
        assert_eq!(folder.counts().await["unchanged"], 2);
        assert_eq!(snapshot(&house.test.db).await, before);
    }
}

on_both! {
    async fn a_missing_folder_fails_the_sync_and_leaves_the_catalog_alone(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "a");
        folder.sync().await;
        let before = snapshot(&house.test.db).await;
        std::fs::rename(&folder.path, house.test.folder.path().join("elsewhere")).unwrap();
        let run = house.run(&folder.new_sync(false)).await;
        assert_eq!(run.status, RunStatus::Failed);
        assert!(run.error.unwrap().contains("No such file"));
        let problem = folder.problem().await.unwrap();
        assert!(problem.contains("No such file") && !problem.contains('/'), "{problem}");
        assert_eq!(snapshot(&house.test.db).await, before);
        std::fs::rename(house.test.folder.path().join("elsewhere"), &folder.path).unwrap();
        folder.sync().await;
        assert_eq!((folder.problem().await, snapshot(&house.test.db).await), (None, before));
    }
}

/// The transactions that last wrote each row of the catalog.
const VERSIONS: &str = "SELECT string_agg(CAST(xmin AS TEXT), ' ' ORDER BY id) FROM (
        SELECT xmin, CAST(id AS TEXT) AS id FROM thing UNION ALL
        SELECT xmin, CAST(id AS TEXT) FROM thing_reference UNION ALL
        SELECT xmin, CAST(id AS TEXT) FROM thing_segment) versions";

/// The versions of all rows of the catalog, where the database tells them.
async fn rows(house: &House) -> String {
    if house.test.db.dialect() == Dialect::Sqlite {
        return String::new();
    }
    on!(read house.test.db, c => query_scalar(VERSIONS).fetch_one(c).await).unwrap()
}

/// How many rows were ever written, where the database counts them.
async fn changes(house: &House) -> i64 {
    if house.test.db.dialect() == Dialect::Postgres {
        return 0;
    }
    // Of the one connection that writes.
    let mut tx = house.test.db.begin().await.unwrap();
    on!(tx tx, c => query_scalar("SELECT total_changes()").fetch_one(c).await).unwrap()
}
