//! What tests of every layer share: a private database for each, on SQLite and on PostgreSQL, a clock that
//! stands still, seeded randomness, and documents that are read on the spot.

#[cfg(feature = "bucket")]
mod bucket;
#[cfg(feature = "documents")]
mod here;
#[cfg(feature = "mail")]
mod mail_server;
#[cfg(feature = "passkeys")]
mod passkeys;
#[cfg(feature = "documents")]
pub mod seeds;

use std::sync::Arc;

#[cfg(feature = "bucket")]
pub use bucket::TestBucket;
#[cfg(feature = "documents")]
pub use here::Here;
#[cfg(feature = "mail")]
pub use mail_server::{Mail, TestMailServer};
#[cfg(feature = "passkeys")]
pub use passkeys::PasskeyBrowser;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use stoa_base::{Ambient, ManualClock, SeededRandom, SystemRandom, Timestamp};
use stoa_store::{Database, DatabaseUrl, Migrations};

/// Where every test's clock starts: 2026-01-01T00:00:00Z.
pub const START: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

/// A private database, with the folder that holds it or belongs to it. Dropped with the test.
#[derive(Debug)]
pub struct TestDatabase {
    /// The database, migrated.
    pub db: Database,
    /// How another process would open it.
    pub url: DatabaseUrl,
    /// An empty folder of the test's own.
    pub folder: tempfile::TempDir,
}

/// Writes one test for each database from one body:
/// `on_both!(async fn name(test: TestDatabase) with [&MIGRATIONS] { … });`
#[macro_export]
macro_rules! on_both {
    ($(#[$meta:meta])* async fn $name:ident($test:ident) with $migrations:expr; $body:block) => {
        $(#[$meta])*
        mod $name {
            #[expect(unused_imports, reason = "a body may need nothing of its module")]
            use super::*;

            async fn body($test: $crate::TestDatabase) $body

            #[tokio::test]
            async fn sqlite() {
                body($crate::sqlite($migrations).await).await;
            }

            #[tokio::test]
            async fn postgres() {
                body($crate::postgres($migrations).await).await;
            }
        }
    };
}

/// A private SQLite database.
///
/// # Panics
/// When it can't be made.
pub async fn sqlite(migrations: &[&Migrations]) -> TestDatabase {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = DatabaseUrl::Sqlite(folder.path().join("stoa.db"));
    open(url, folder, migrations).await
}

/// A private database on the PostgreSQL server that `make test` starts.
///
/// # Panics
/// When there is no such server: storage that was tried on one database only is not tested.
pub async fn postgres(migrations: &[&Migrations]) -> TestDatabase {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = DatabaseUrl::Postgres(new_postgres_database().await);
    open(url, folder, migrations).await
}

async fn open(url: DatabaseUrl, folder: tempfile::TempDir, migrations: &[&Migrations]) -> TestDatabase {
    let db = Database::open(&url).await.expect("the database opens");
    let lock = folder.path().join("migrations.lock");
    stoa_store::migrations::apply(&db, migrations, &lock).await.expect("the migrations apply");
    TestDatabase { db, url, folder }
}

/// Makes an empty PostgreSQL database and gives its URL.
///
/// # Panics
/// When the server is not there.
pub async fn new_postgres_database() -> String {
    let server = server_url();
    let name = format!("stoa_test_{}", u128::from_be_bytes(Ambient::system().bytes::<16>()));
    let mut connection = PgConnection::connect(&server).await.expect("the test server answers");
    let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::query(create).execute(&mut connection).await.expect("a database of the test's own");
    let (server, _database) = server.rsplit_once('/').expect("the URL names a database");
    format!("{server}/{name}")
}

#[expect(clippy::disallowed_methods, reason = "the test server's address comes from the environment")]
fn server_url() -> String {
    std::env::var("STOA_TEST_POSTGRES_URL").expect(
        "STOA_TEST_POSTGRES_URL names a PostgreSQL server: run `make test`, or scripts/postgres.sh start",
    )
}

/// A clock that stands at [`START`] with randomness of its own, and the handle that moves the clock.
#[must_use]
pub fn manual_time() -> (Ambient, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(START));
    (Ambient::new(clock.clone(), Arc::new(SystemRandom)), clock)
}

/// An ambient that always gives the same ids and the same time, for snapshots.
#[must_use]
pub fn fixed() -> Ambient {
    Ambient::new(Arc::new(ManualClock::new(START)), Arc::new(SeededRandom::new(1)))
}
