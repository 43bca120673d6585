//! Whether a key and a database belong together.

use sqlx::{query, query_scalar};
use stoa_base::{Ambient, WorkspaceId};
use uuid::Uuid;

use super::{Place, SecretError, SecretKey};
use crate::{Database, on, queries};

const NAME: &str = "secret_key_sentinel";

queries! {
    /// Notes the sentinel of the first start.
    NOTE = "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    /// The sentinel.
    FIND = "SELECT value FROM meta WHERE name = $1";
}

/// Opens the value that the first start sealed, so that a start with another key is refused before anything is
/// sealed with it. The first start writes it.
///
/// # Errors
/// [`SecretError::OtherDatabase`] when the database belongs to another key; [`SecretError::Tampered`] when the
/// sentinel was changed; [`SecretError::Store`] when the database can't be asked.
pub async fn check_sentinel(db: &Database, key: &SecretKey, ambient: &Ambient) -> Result<(), SecretError> {
    let found: Option<Vec<u8>> = on!(read db, c => query_scalar(FIND).bind(NAME).fetch_optional(c).await)?;
    let sealed = match found {
        Some(sealed) => sealed,
        None => note(db, key, ambient).await?,
    };
    match key.open(&place(), &sealed) {
        Err(SecretError::OtherKey { sealed_with, ours }) => {
            Err(SecretError::OtherDatabase { sealed_with, ours })
        }
        opened => opened.map(|_| ()),
    }
}

/// Notes a sentinel and gives the one that is there then: another node may have been faster.
async fn note(db: &Database, key: &SecretKey, ambient: &Ambient) -> Result<Vec<u8>, SecretError> {
    let sealed = key.seal(&place(), b"stoa", ambient);
    let mut tx = db.begin().await?;
    on!(tx tx, c => query(NOTE).bind(NAME).bind(sealed).execute(c).await.map(|_| ()))?;
    let noted = on!(tx tx, c => query_scalar(FIND).bind(NAME).fetch_one(c).await)?;
    tx.commit().await?;
    Ok(noted)
}

const fn place() -> Place<'static> {
    Place {
        workspace: WorkspaceId::from_uuid(Uuid::nil()),
        table: "meta",
        column: "value",
        row: NAME.as_bytes(),
    }
}
