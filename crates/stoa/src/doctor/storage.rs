//! Where data is kept: database and blobs.

use stoa_store::secret::{SecretKey, check_sentinel};
use stoa_store::{Database, DatabaseUrl, PerDialect, StoreError, on};

use super::{Finding, State};
use crate::commands::Context;
use crate::config::Config;
use crate::failure::Failure;
use crate::house::open_blobs;
use crate::{schema, services};

/// The server's version.
const VERSION: PerDialect =
    PerDialect { sqlite: "SELECT sqlite_version()", postgres: "SELECT current_setting('server_version')" };
/// The blob that the doctor writes and deletes.
const PROBE: &str = "doctor/probe";

/// Whether the database answers, which it is, and whether it has this version's tables and belongs to the key.
pub async fn database(context: &Context) -> Finding {
    let (state, found) = match look(context).await {
        Ok(found) => found,
        Err(error) => (State::Broken, error.to_string()),
    };
    Finding { part: "database", state, found, purpose: "everything but bytes" }
}

async fn look(context: &Context) -> Result<(State, String), Failure> {
    let url = context.config.database()?;
    if let DatabaseUrl::Sqlite(path) = &url
        && !path.exists()
    {
        return Ok((State::Ok, format!("SQLite: {} will be made at the first start", path.display())));
    }
    let db = Database::open(&url).await?;
    let looked = look_into(&db, context).await;
    db.close().await;
    looked
}

async fn look_into(db: &Database, context: &Context) -> Result<(State, String), Failure> {
    let applied = schema::applied(db, services::MIGRATIONS).await.unwrap_or_default();
    let found = format!("{} {}", db.dialect().name(), version(db).await?);
    if applied != schema::built(services::MIGRATIONS, db.dialect()) {
        return Ok((State::Ok, format!("{found}, migrations to be applied at the next start")));
    }
    let key_file = context.config.secret_key_file();
    if !key_file.exists() {
        return Ok((State::Warning, format!("{found}, without {}", key_file.display())));
    }
    // What is wrong with the key itself is told of the key.
    if let Ok(key) = SecretKey::load(&key_file) {
        check_sentinel(db, &key, &context.ambient).await?;
    }
    Ok((State::Ok, found))
}

async fn version(db: &Database) -> Result<String, StoreError> {
    let text = db.dialect().text(&VERSION);
    Ok(on!(read db, c => sqlx::query_scalar(text).fetch_one(c).await)?)
}

/// Whether bytes can be written, read and deleted. Makes no folder where there is none yet.
pub async fn blobs(context: &Context) -> Finding {
    let config = &context.config;
    let (state, found) = match &config.blobs.bucket {
        None if !config.data.exists() => {
            (State::Ok, "will be made in the data folder at the first start".to_owned())
        }
        bucket => match try_blobs(config).await {
            Ok(()) => (
                State::Ok,
                bucket.as_ref().map_or_else(|| "folder".to_owned(), |name| format!("bucket {name}")),
            ),
            Err(problem) => (State::Broken, problem),
        },
    };
    Finding { part: "blobs", state, found, purpose: "bytes: stored files, texts, images" }
}

async fn try_blobs(config: &Config) -> Result<(), String> {
    let blobs = open_blobs(config).map_err(|failure| failure.to_string())?;
    let probe = async {
        blobs.put(PROBE, "probe".into()).await?;
        let read = blobs.get(PROBE).await?;
        blobs.delete(PROBE).await?;
        Ok(read)
    };
    let read = probe.await.map_err(|error: stoa_store::blob::BlobError| error.to_string())?;
    if read.as_deref() == Some(b"probe") {
        Ok(())
    } else {
        Err("what is written can't be read back".to_owned())
    }
}
