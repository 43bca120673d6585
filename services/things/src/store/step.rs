//! How each analysis step of a content went.

use sqlx::{FromRow, query, query_as};
use stoa_store::{Database, StoreError, Tx, on, queries};

queries! {
    /// The newest result of a step replaces the one before.
    UPSERT = "INSERT INTO thing_step (thing_seq, step, status, duration_ms, engine, error)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (thing_seq, step) DO UPDATE SET status = EXCLUDED.status,
            duration_ms = EXCLUDED.duration_ms, engine = EXCLUDED.engine, error = EXCLUDED.error";
    /// A content's steps, in the order they are taken.
    OF_THING = "SELECT step, status, duration_ms, engine, error FROM thing_step WHERE thing_seq = $1
        ORDER BY CASE step WHEN 'identify' THEN 0 WHEN 'text' THEN 1 ELSE 2 END, step";
}

/// The result of one analysis step.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, serde::Serialize)]
pub struct Step {
    /// `identify`, `text`.
    pub step: String,
    /// `done`, `failed`, or `skipped` where the step does not apply to this kind of content.
    pub status: String,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// What did it.
    pub engine: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

pub(crate) async fn upsert(tx: &mut Tx, seq: i64, step: &Step) -> Result<(), StoreError> {
    on!(tx tx, c => query(UPSERT)
        .bind(seq)
        .bind(&step.step)
        .bind(&step.status)
        .bind(step.duration_ms)
        .bind(&step.engine)
        .bind(&step.error)
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

pub(crate) async fn of_thing(db: &Database, seq: i64) -> Result<Vec<Step>, StoreError> {
    Ok(on!(read db, c => query_as(OF_THING).bind(seq).fetch_all(c).await)?)
}
