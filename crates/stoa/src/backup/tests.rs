use std::collections::BTreeMap;

use futures::TryStreamExt;
use serde_json::json;
use stoa_base::Ambient;
use stoa_identity::accounts::{self, NewAccount};
use stoa_identity::{resets, workspaces};
use stoa_runs::NewRun;
use stoa_store::audit::{Act, Audit, Opening};
use stoa_store::blob::Blobs;
use stoa_store::{Database, on};
use stoa_testing::TestDatabase;

use super::snapshot::Connection;
use super::write::{Source, write};
use super::{BackupError, Counts, due, read, tables};
use crate::{schema, services};

/// A database with blobs beside it.
struct Place {
    test: TestDatabase,
    blobs: Blobs,
}

impl Place {
    fn new(test: TestDatabase) -> Self {
        let blobs = Blobs::folder(&test.folder.path().join("blobs")).unwrap();
        Self { test, blobs }
    }

    async fn sqlite() -> Self {
        Self::new(stoa_testing::sqlite(services::MIGRATIONS).await)
    }

    async fn postgres() -> Self {
        Self::new(stoa_testing::postgres(services::MIGRATIONS).await)
    }

    fn db(&self) -> &Database {
        &self.test.db
    }

    fn components(&self) -> BTreeMap<String, i64> {
        schema::built(services::MIGRATIONS, self.db().dialect())
    }

    /// An account with a password and a link that is good once, a workspace, a run, audit entries and two blobs: every kind of column.
    async fn fill(&self) {
        let ambient = Ambient::system();
        let audit = Audit::start(self.db().clone(), ambient.clone());
        let workspace = workspaces::ensure_default(self.db(), &ambient).await.unwrap().id;
        for email in ["ada@example.com", "b\"'\\\u{e9}\u{1f600}@example.com"] {
            let act = open(&audit, workspace, email);
            let password = stoa_identity::Password::typed("correct horse battery");
            let new = NewAccount { email: email.parse().unwrap(), password };
            accounts::add(self.db(), &ambient, &act, new).await.unwrap();
        }
        let (act, ada) = (open(&audit, workspace, "reset"), "ada@example.com".parse().unwrap());
        let link = resets::issue(self.db(), &ambient, &act, &ada, resets::Reset::Password).await.unwrap();
        assert!(link.is_some());
        let run = NewRun {
            workspace,
            service: "things",
            kind: "sync",
            target: None,
            live_key: Some("k".to_owned()),
            payload: json!({ "b": [1, null, "\u{1f600}"], "a": 9_007_199_254_740_993_i64 }),
            starter: None,
            account: None,
        };
        let mut tx = self.db().begin().await.unwrap();
        stoa_runs::enqueue(&mut tx, &ambient, &run, None).await.unwrap();
        tx.commit().await.unwrap();
        audit.stop().await;
        self.blobs.put("a/b", vec![0_u8, 255, 10].into()).await.unwrap();
        self.blobs.put("large", vec![7_u8; 9 << 20].into()).await.unwrap();
    }

    async fn backup(&self) -> Vec<u8> {
        let source = Source {
            db: self.db(),
            blobs: &self.blobs,
            derived: services::DERIVED,
            components: self.components(),
            key_id: "the key".to_owned(),
            key: Some(b"key".to_vec()),
        };
        let mut archive = Vec::new();
        write(&source, &Ambient::system(), &mut archive).await.unwrap();
        archive
    }

    async fn restore(&self, archive: &[u8], replace: bool) -> Result<Counts, BackupError> {
        let (manifest, _) = read::head(archive)?;
        let target = read::Target {
            db: self.db(),
            blobs: &self.blobs,
            derived: services::DERIVED,
            components: &self.components(),
            replace,
        };
        let counts = read::load(&target, &manifest, archive).await?;
        assert!(due::is_due(self.db()).await.unwrap(), "the index is still to be made");
        due::clear(self.db()).await.unwrap();
        Ok(counts)
    }

    /// Every row of every table, and every blob.
    async fn everything(&self) -> Vec<String> {
        let mut connection = Connection::reading(self.db()).await.unwrap();
        let mut found = Vec::new();
        for table in tables::all(&mut connection, services::DERIVED).await.unwrap() {
            let dump = table.dump(connection.dialect());
            let rows: Vec<String> =
                on!(tx connection, c => sqlx::query_scalar(dump).fetch_all(c).await).unwrap();
            found.extend(rows.iter().map(|row| format!("{}: {}", table.name, canonical(row))));
        }
        let keys: Vec<String> = self.blobs.list("").await.unwrap().try_collect().await.unwrap();
        for key in keys {
            let bytes = self.blobs.get(&key).await.unwrap().unwrap();
            found.push(format!("{key}: {} {:?}", bytes.len(), &bytes[..3]));
        }
        found.sort();
        found
    }
}

/// The row with its keys in order and JSON columns read: PostgreSQL gives them in an order of its own.
fn canonical(row: &str) -> String {
    let row: BTreeMap<String, serde_json::Value> = serde_json::from_str(row).unwrap();
    let read = |value: serde_json::Value| match value.as_str().map(serde_json::from_str::<serde_json::Value>)
    {
        Some(Ok(inner)) if inner.is_object() || inner.is_array() => sorted(inner).to_string(),
        _ => value.to_string(),
    };
    row.into_iter().map(|(name, value)| format!("{name}={}", read(value))).collect::<Vec<_>>().join(" ")
}

fn sorted(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.into_iter().collect();
            fields.into_iter().map(|(name, value)| (name, sorted(value))).collect()
        }
        other => other,
    }
}

fn open(audit: &Audit, workspace: stoa_base::WorkspaceId, email: &str) -> Act {
    audit.open(Opening::local(workspace, "account add", json!({ "email": email, "a": null })))
}

/// Restores a backup of `from` into `to`, and lets the database go on from there.
async fn moves(from: Place, to: Place) {
    from.fill().await;
    let archive = from.backup().await;
    let counts = to.restore(&archive, false).await.unwrap();
    assert_eq!(counts.blobs, 2);
    assert_eq!(to.everything().await, from.everything().await);
    // Numbered columns go on after the last number.
    let ambient = Ambient::system();
    let audit = Audit::start(to.db().clone(), ambient.clone());
    let workspace = workspaces::ensure_default(to.db(), &ambient).await.unwrap().id;
    let new = NewAccount { email: "new@example.com".parse().unwrap(), password: None };
    accounts::add(to.db(), &ambient, &open(&audit, workspace, "new"), new).await.unwrap();
    audit.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_sqlite_restores_into_sqlite() {
    moves(Place::sqlite().await, Place::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_sqlite_restores_into_postgres() {
    moves(Place::sqlite().await, Place::postgres().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_postgres_restores_into_sqlite() {
    moves(Place::postgres().await, Place::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_postgres_restores_into_postgres() {
    moves(Place::postgres().await, Place::postgres().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_there_is_replaced_only_when_asked() {
    for (from, to) in
        [(Place::sqlite().await, Place::postgres().await), (Place::postgres().await, Place::sqlite().await)]
    {
        from.fill().await;
        to.fill().await;
        let (archive, before) = (from.backup().await, to.everything().await);
        assert!(matches!(to.restore(&archive, false).await, Err(BackupError::NotEmpty(_))));
        assert_eq!(to.everything().await, before);
        to.restore(&archive, true).await.unwrap();
        assert_eq!(to.everything().await, from.everything().await);
        let links = "SELECT COUNT(*) FROM one_time_link";
        let links: i64 = on!(read to.db(), c => sqlx::query_scalar(links).fetch_one(c).await).unwrap();
        assert_eq!(
            links, 0,
            "what was good for a short while is in no backup, and of those replaced none is left"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_backup_leaves_the_database_as_it_was() {
    for (from, to) in
        [(Place::sqlite().await, Place::postgres().await), (Place::postgres().await, Place::sqlite().await)]
    {
        from.fill().await;
        let archive = from.backup().await;
        assert!(to.restore(&archive[..archive.len() - 1], false).await.is_err());
        let rows = to.everything().await.into_iter().filter(|row| row.contains("account: ")).count();
        assert_eq!(rows, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_backup_of_this_version_is_refused() {
    let place = Place::sqlite().await;
    assert!(matches!(place.restore(b"no archive", false).await, Err(BackupError::NoBackup(_))));
    let archive = place.backup().await;
    let (mut manifest, key) = read::head(&archive[..]).unwrap();
    assert_eq!(key.as_deref(), Some(&b"key"[..]));
    manifest.components.insert("things".to_owned(), 99);
    let target = read::Target {
        db: place.db(),
        blobs: &place.blobs,
        derived: services::DERIVED,
        components: &place.components(),
        replace: false,
    };
    let refused = read::load(&target, &manifest, &archive[..]).await;
    assert!(matches!(refused, Err(BackupError::OtherVersion { .. })));
}
