//! `stoa backup` and `stoa restore`: from either database into the other, with the key or without.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stoa_store::{Dialect, on};

use crate::catalog::{fill_small, snapshot};
use crate::support::Place;

/// A Stoa that was used: an owner with a token, a catalog, an audit with links. Gives the token.
async fn used(place: &Place) -> String {
    let files = tempfile::tempdir().unwrap();
    fill_small(files.path(), 40);
    let token = place.owner_token().await;
    let resource = place.add_folder("documents", files.path()).await;
    place.stoa(&["things", "sync", &resource, "--wait"]).await;
    assert!(place.serve().await.stop().await.success());
    token
}

async fn backup(place: &Place, name: &str, arguments: &[&str]) -> PathBuf {
    let file = place.data.path().join(name);
    place.stoa(&[&["backup", "--out", file.to_str().unwrap()], arguments].concat()).await;
    file
}

fn key(place: &Place) -> PathBuf {
    place.data.path().join("secret.key")
}

async fn search(place: &Place) -> Value {
    let found = place.json(&["things", "search", "topic2 document"]).await;
    assert!(found["total"].as_u64().unwrap() > 0);
    found
}

/// How many entries the audit has linked, which must be intact.
async fn linked(place: &Place) -> u64 {
    let report = place.json(&["audit", "verify"]).await;
    assert_eq!(report["intact"], true, "{report}");
    report["workspaces"][0]["entries"].as_u64().unwrap()
}

fn restore(file: &Path) -> [&str; 2] {
    ["restore", file.to_str().unwrap()]
}

/// Moves a whole Stoa, with its key in the backup.
async fn moves(from: Place, to: Place) {
    let token = used(&from).await;
    let (found, entries) = (search(&from).await, linked(&from).await);
    assert!(entries > 0);
    let file = backup(&from, "backup.tar.gz", &["--with-key"]).await;
    let printed = to.stoa(&restore(&file)).await;
    assert!(printed.starts_with("restored "), "{printed}");

    assert_eq!(search(&to).await, found);
    assert_eq!(snapshot(&to).await, snapshot(&from).await);
    assert_eq!(linked(&to).await, entries);
    assert_eq!(std::fs::read(key(&to)).unwrap(), std::fs::read(key(&from)).unwrap());
    assert_eq!(std::fs::metadata(key(&to)).unwrap().permissions().mode() & 0o777, 0o600);
    // It goes on where the other one was.
    let server = to.serve().await;
    assert_eq!(server.client(&token).status().await, 200);
    assert!(server.stop().await.success());
    assert!(linked(&to).await > entries);
}

#[tokio::test]
async fn sqlite_moves_into_postgres() {
    moves(Place::sqlite(), Place::postgres().await).await;
}

#[tokio::test]
async fn postgres_moves_into_sqlite() {
    moves(Place::postgres().await, Place::sqlite()).await;
}

#[tokio::test]
async fn a_backup_holds_the_key_only_when_asked() {
    let (from, to) = (Place::sqlite(), Place::sqlite());
    used(&from).await;
    let file = backup(&from, "backup.tar.gz", &[]).await;
    let complaint = to.refused(1, &restore(&file)).await;
    assert!(complaint.starts_with("stoa: the backup has no secret key: put the one it was made with at"));
    // Another key is not the one either, whether or not everything may be replaced.
    to.stoa(&["account", "add", "other@example.com"]).await;
    for force in [&[][..], &["--force"]] {
        let complaint = to.refused(1, &[&restore(&file)[..], force].concat()).await;
        assert!(complaint.contains("the backup has no secret key"), "{complaint}");
    }
    let to = Place::sqlite();
    std::fs::copy(key(&from), key(&to)).unwrap();
    std::fs::set_permissions(key(&to), Permissions::from_mode(0o600)).unwrap();
    to.stoa(&restore(&file)).await;
    assert_eq!(search(&to).await, search(&from).await);
}

#[tokio::test]
async fn what_is_there_is_replaced_only_by_force() {
    for to in Place::both().await {
        let from = Place::sqlite();
        used(&from).await;
        let with_key = backup(&from, "with key.tar.gz", &["--with-key"]).await;
        to.stoa(&["account", "add", "other@example.com"]).await;
        let complaint = to.refused(1, &restore(&with_key)).await;
        assert!(complaint.contains("is another secret key than the backup's"), "{complaint}");
        to.stoa(&[&restore(&with_key)[..], &["--force"]].concat()).await;
        let complaint = to.refused(1, &restore(&with_key)).await;
        assert!(complaint.contains("the database is not empty"), "{complaint}");
        assert_eq!(search(&to).await, search(&from).await);
        let refusal =
            to.refused(1, &["token", "add", "--account", "other@example.com", "--mount", "all"]).await;
        assert_eq!(refusal, "stoa: there is no account other@example.com");
    }
}

/// Leaves the database as a restore does that was killed when the rows were loaded.
async fn kill_before_the_index(place: &Place) {
    let db = place.database().await;
    let mut tx = db.begin().await.unwrap();
    for statement in [
        "DELETE FROM thing_block",
        "DELETE FROM thing_segment",
        "INSERT INTO meta (name, value) VALUES ('derived_tables_due', CAST('1' AS BLOB))",
    ] {
        let statement = match db.dialect() {
            Dialect::Sqlite => statement.to_owned(),
            Dialect::Postgres => statement.replace("BLOB", "BYTEA"),
        };
        on!(tx tx, c => sqlx::query(sqlx::AssertSqlSafe(statement.clone())).execute(c).await.map(|_| ()))
            .unwrap();
    }
    tx.commit().await.unwrap();
    db.close().await;
}

#[tokio::test]
async fn a_server_makes_the_index_that_a_killed_restore_left_undone() {
    for place in Place::both().await {
        used(&place).await;
        let found = search(&place).await;
        kill_before_the_index(&place).await;
        assert_eq!(place.json(&["things", "search", "topic2 document"]).await["total"], 0);
        for _ in 0..2 {
            assert!(place.serve().await.stop().await.success());
            assert_eq!(search(&place).await, found);
        }
    }
}

#[tokio::test]
async fn beside_a_server_a_backup_is_taken_and_a_restore_is_refused() {
    for place in Place::both().await {
        used(&place).await;
        let server = place.serve().await;
        let file = backup(&place, "backup.tar.gz", &["--with-key"]).await;
        let complaint = place.refused(1, &[&restore(&file)[..], &["--force"]].concat()).await;
        assert!(complaint.starts_with("stoa: another server uses"), "{complaint}");
        assert!(server.stop().await.success());
        let to = Place::sqlite();
        to.stoa(&restore(&file)).await;
        assert_eq!(search(&to).await, search(&place).await);
    }
}

#[tokio::test]
async fn the_file_is_its_owners_alone_and_what_is_no_backup_is_refused() {
    let place = Place::sqlite();
    place.stoa(&["account", "add", "owner@example.com"]).await;
    let file = backup(&place, "backup.tar.gz", &[]).await;
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!file.with_added_extension("partial").exists());
    let to = Place::sqlite();
    let complaint = to.refused(1, &restore(Path::new("/missing.tar.gz"))).await;
    assert!(complaint.starts_with("stoa: /missing.tar.gz: No such file"), "{complaint}");
    std::fs::write(&file, "no archive").unwrap();
    let complaint = to.refused(1, &restore(&file)).await;
    assert!(complaint.starts_with("stoa: the file is no backup of Stoa"), "{complaint}");
    assert!(!to.data.path().join("stoa.db").exists(), "nothing was made");
    let unwritable = place.refused(1, &["backup", "--out", "/missing/backup.tar.gz"]).await;
    assert!(unwritable.contains("/missing/backup.tar.gz"), "{unwritable}");
}
