//! Table `sign_in_attempt`.

use sqlx::{query, query_as};
use stoa_base::Timestamp;
use stoa_store::{StoreError, Tx, on, queries};

queries! {
    /// The row, made where there is none, and held until the transaction ends: of several at once each counts on
    /// what the one before it left.
    HOLD = "INSERT INTO sign_in_attempt (subject, count, last_at) VALUES ($1, 0, $2)
        ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject
        RETURNING count, last_at";
    COUNT = "UPDATE sign_in_attempt SET count = $2, last_at = $3 WHERE subject = $1";
    UNCOUNT = "UPDATE sign_in_attempt SET count = count - 1 WHERE subject = $1 AND count > 0";
    FORGET = "DELETE FROM sign_in_attempt WHERE subject = $1";
    PRUNE = "DELETE FROM sign_in_attempt WHERE last_at <= $1";
}

/// The hash of who is counted.
pub type Subject = [u8; 32];

/// How often was tried, and when last. Nobody else counts for this subject until the transaction ends.
pub async fn hold(tx: &mut Tx, subject: &Subject, now: Timestamp) -> Result<(i64, Timestamp), StoreError> {
    let (count, last_at): (i64, i64) = on!(tx tx, c => query_as(HOLD)
        .bind(subject.as_slice())
        .bind(now.as_micros())
        .fetch_one(c)
        .await)?;
    Ok((count, Timestamp::from_micros(last_at)))
}

/// Writes down that it is so often by now.
pub async fn count(tx: &mut Tx, subject: &Subject, count: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(COUNT)
        .bind(subject.as_slice())
        .bind(count)
        .bind(now.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Takes one back.
pub async fn uncount(tx: &mut Tx, subject: &Subject) -> Result<(), StoreError> {
    on!(tx tx, c => query(UNCOUNT).bind(subject.as_slice()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Takes all back.
pub async fn forget(tx: &mut Tx, subject: &Subject) -> Result<(), StoreError> {
    on!(tx tx, c => query(FORGET).bind(subject.as_slice()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Deletes what was last tried before `before`.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
