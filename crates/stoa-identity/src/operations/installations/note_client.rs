//! Remembering which client uses an installation.

use stoa_base::text::one_line;
use stoa_store::{Database, StoreError};

use crate::{Caller, ClientInfo, store};

/// The longest name or version that is kept, in characters.
const LONGEST_NAME: usize = 100;

/// Notes what the client of this caller calls itself, for whoever looks at the list of installations. Part of
/// the call that it came with, so it has no audit entry of its own.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn note_client(db: &Database, caller: &Caller, client: &ClientInfo) -> Result<(), StoreError> {
    let clean = ClientInfo {
        name: one_line(&client.name, LONGEST_NAME),
        version: one_line(&client.version, LONGEST_NAME),
    };
    let mut tx = db.begin().await?;
    store::installation::client(&mut tx, caller.workspace, caller.installation, &clean).await?;
    tx.commit().await
}
