//! Two things that turned out to be one content become one.

use sqlx::query;
use stoa_store::{StoreError, Tx, on, queries};

use super::{ThingRow, delete};

queries! {
    /// Another name for a thing.
    ALIAS = "INSERT INTO thing_alias (workspace_id, alias_id, thing_seq) VALUES ($1, $2, $3)";
    /// Names of one thing become names of another.
    MOVE_ALIASES = "UPDATE thing_alias SET thing_seq = $2 WHERE thing_seq = $1";
    /// Whoever was superseded by it is superseded by what it was merged into.
    MOVE_SUPERSEDED = "UPDATE thing SET superseded_by = (SELECT id FROM thing successor WHERE successor.seq = $3)
        WHERE workspace_id = $1 AND superseded_by = $2";
}

/// Makes the ids of `loser` mean `winner` from now on, and removes `loser`.
pub(crate) async fn replace(tx: &mut Tx, loser: &ThingRow, winner: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(MOVE_ALIASES).bind(loser.seq).bind(winner).execute(c).await.map(|_| ()))?;
    on!(tx tx, c => query(MOVE_SUPERSEDED)
        .bind(loser.workspace.uuid())
        .bind(loser.id.uuid())
        .bind(winner)
        .execute(c)
        .await
        .map(|_| ()))?;
    delete(tx, loser.seq).await?;
    on!(tx tx, c => query(ALIAS)
        .bind(loser.workspace.uuid())
        .bind(loser.id.uuid())
        .bind(winner)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}
