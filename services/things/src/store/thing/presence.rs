//! Whether a thing is there: a reference comes, the last one goes, and in the end the thing is deleted.

use sqlx::{query, query_scalar};
use stoa_base::Timestamp;
use stoa_store::{StoreError, Tx, on, queries};

use crate::model::ResourceId;

queries! {
    /// The last reference went.
    GONE = "UPDATE thing SET gone_at = $2, gone_from = $3, gone_key = $4,
            superseded_by = (SELECT id FROM thing successor WHERE successor.seq = $5) WHERE seq = $1";
    /// One more reference: it takes a unit's number, and a thing that was gone is back.
    REFER = "UPDATE thing SET next_unit = next_unit + 1,
            gone_at = NULL, gone_from = NULL, gone_key = NULL, superseded_by = NULL
        WHERE seq = $1 RETURNING next_unit - 1";
    /// Keeps others from adding references until the end of the transaction.
    LOCK = "UPDATE thing SET next_unit = next_unit WHERE seq = $1";
    /// A thing and, by cascade, its steps, text and aliases.
    DELETE = "DELETE FROM thing WHERE seq = $1";
    /// Gone for longer than they are kept.
    LONG_GONE = "SELECT seq FROM thing WHERE gone_at < $1 ORDER BY seq LIMIT $2";
}

/// Where a thing was when its last reference went, and what took its place there.
#[derive(Clone, Copy, Debug)]
pub struct Departure<'a> {
    /// The resource.
    pub resource: ResourceId,
    /// The locator key.
    pub key: &'a str,
    /// The thing that is there now.
    pub successor: Option<i64>,
}

pub(crate) async fn gone(
    tx: &mut Tx,
    seq: i64,
    departure: Departure<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(GONE)
        .bind(seq)
        .bind(now.as_micros())
        .bind(departure.resource.uuid())
        .bind(departure.key)
        .bind(departure.successor)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Notes one more reference to the thing, which brings it back if it was gone. Answers the number that the
/// reference's index unit takes. Locks the thing until the end of the transaction.
pub(crate) async fn refer(tx: &mut Tx, seq: i64) -> Result<i64, StoreError> {
    Ok(on!(tx tx, c => query_scalar(REFER).bind(seq).fetch_one(c).await)?)
}

/// Keeps other transactions from adding references to the thing until this one ends.
pub(crate) async fn lock(tx: &mut Tx, seq: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(LOCK).bind(seq).execute(c).await.map(|_| ()))?;
    Ok(())
}

pub(crate) async fn delete(tx: &mut Tx, seq: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE).bind(seq).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Up to `limit` things that went before `before`.
pub(crate) async fn long_gone(tx: &mut Tx, before: Timestamp, limit: i64) -> Result<Vec<i64>, StoreError> {
    Ok(on!(tx tx, c => query_scalar(LONG_GONE)
        .bind(before.as_micros())
        .bind(limit)
        .fetch_all(c)
        .await)?)
}
