//! The audit as JSON lines.

use futures::{Stream, TryStreamExt};
use sqlx::{query_as, query_scalar};
use stoa_base::WorkspaceId;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::record::{Record, columns};
use crate::{Database, StoreError, on, queries};

queries! {
    /// Where the chain ends now.
    END = "SELECT position FROM audit_chain WHERE workspace_id = $1";
    /// What is linked up to there: it changes no more.
    LINKED = (concat!("SELECT ", columns!(), " FROM audit_entry
        WHERE workspace_id = $1 AND chain_position <= $2 ORDER BY chain_position"));
    /// All the rest, in one look, so that an entry linked meanwhile comes neither twice nor never.
    REST = (concat!("SELECT ", columns!(), " FROM audit_entry
        WHERE workspace_id = $1 AND (chain_position > $2 OR chain_position IS NULL)
        ORDER BY chain_position NULLS LAST, seq"));
}

/// Writes every entry of `workspace` to `out`, one JSON object a line: the chain in its order, then what is not
/// linked yet (`position` null). Entries are streamed, never all in memory.
///
/// # Errors
/// [`StoreError::Database`] when the database can't be read; [`StoreError::File`] when `out` takes no more.
pub async fn export<W>(db: &Database, workspace: WorkspaceId, out: &mut W) -> Result<(), StoreError>
where
    W: AsyncWrite + Unpin + Send,
{
    let id = workspace.uuid();
    let end: Option<i64> = on!(read db, c => query_scalar(END).bind(id).fetch_optional(c).await)?;
    let end = end.unwrap_or(0);
    on!(read db, c => write(query_as(LINKED).bind(id).bind(end).fetch(c), out).await)?;
    on!(read db, c => write(query_as(REST).bind(id).bind(end).fetch(c), out).await)?;
    out.flush().await.map_err(unwritable)
}

async fn write<S, W>(mut records: S, out: &mut W) -> Result<(), StoreError>
where
    S: Stream<Item = Result<Record, sqlx::Error>> + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    while let Some(record) = records.try_next().await? {
        let line = format!("{}\n", record.json());
        out.write_all(line.as_bytes()).await.map_err(unwritable)?;
    }
    Ok(())
}

fn unwritable(source: std::io::Error) -> StoreError {
    StoreError::File { path: "audit export".to_owned(), source }
}
